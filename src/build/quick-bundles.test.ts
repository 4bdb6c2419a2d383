/** Checks the built bundles: they print what the whole CLI prints, and load no module that help cannot need. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quickEntries } from './quick-bundles.js';

const ROOT = join(import.meta.dirname, '../..');
/** Parts that are loaded on demand: they take longer to load than a short command runs. */
const ON_DEMAND = /\/(mcp|terminal|attach-terminal|adapters|string-width|config-file)-[\w-]+\.cjs$/;

const node = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: 'utf8' });
const run = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });
const names = Object.keys(quickEntries).flatMap((name) => (/^quick-([a-z]+)$/.exec(name) ?? []).slice(1));

describe('a command with a bundle of its own', () => {
  test.each(names)('%s prints the same help as the whole CLI, and loads no part that is loaded on demand', (name) => {
    const script = `
      process.on('exit', () => process.stderr.write(JSON.stringify(Object.keys(require.cache))));
      process.argv = [process.execPath, 'orchd', ...process.argv.slice(1)];
      require(${JSON.stringify(join(ROOT, 'dist'))} + '/quick-${name}.cjs');`;
    const { stdout, stderr } = run('-e', script, '--', name, '--help');
    expect(stdout).toBe(node(join(ROOT, 'dist/cli.js'), name, '--help'));
    const files = JSON.parse(stderr) as string[];
    expect(files.filter((file) => ON_DEMAND.test(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });

  test.each([['version'], ['--version'], ['-V'], ['version', '--json'], ['--version', '--json'], ['version', '-q']])(
    'prints the same as the whole CLI for %s %s',
    (...args) => {
      const said = node(join(ROOT, 'bin/orchd.js'), ...args);
      expect(said).toContain('0.');
      expect(said).toBe(node(join(ROOT, 'dist/cli.js'), ...args));
    },
  );

  test('completes words as the whole CLI does', () => {
    const words = ['__complete', 'l'];
    expect(node(join(ROOT, 'bin/orchd.js'), ...words)).toBe(node(join(ROOT, 'dist/cli.js'), ...words));
  });

  test('prints to a pipe without the streams of Node, which take longer to create than a short command runs', () => {
    const script = `
      for (const name of ['stdout', 'stderr'])
        Object.defineProperty(process, name, { configurable: true, get: () => process.abort() });
      process.argv = [process.execPath, 'orchd', 'version'];
      require(${JSON.stringify(join(ROOT, 'dist'))} + '/quick-version.cjs');`;
    expect(run('-e', script)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^orchd \d/) });
  });
});

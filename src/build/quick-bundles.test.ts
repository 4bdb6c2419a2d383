/** Checks the built bundles: they say what the whole CLI says, and load no module that a short command cannot need. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quickEntries } from './quick-bundles.js';

const ROOT = join(import.meta.dirname, '../..');
/** Parts that are loaded on demand: they take longer to load than a short command runs. */
const ON_DEMAND = /\/(mcp|terminal|attach-terminal|adapters|string-width|config-file)-[\w-]+\.cjs$/;

const node = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: 'utf8' });
const run = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });
const names = Object.keys(quickEntries).map((name) => name.replace('quick-', ''));

const IMPORT = /^(?:import|export) [^;]*?"\.\/([\w.-]+\.js)"|\bimport\("\.\/([\w.-]+\.js)"\)/gm;

test('no bundle loads the daemon, the host or the whole CLI as a part, which would run them', () => {
  const files = ['cli.js', 'daemon.js', 'library.js'];
  const seen = new Set<string>();
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(ROOT, 'dist', file), 'utf8');
    const names = [...text.matchAll(IMPORT)].map(([, still, later]) => still ?? later ?? '');
    expect(
      names.filter((name) => /^(cli|daemon|host)\.js$/.test(name)),
      file,
    ).toEqual([]);
    files.push(...names.filter((name) => existsSync(join(ROOT, 'dist', name))));
  }
  expect(seen.size).toBeGreaterThan(50);
});

describe('a quick command', () => {
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
});

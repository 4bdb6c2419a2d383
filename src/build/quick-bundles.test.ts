/** Checks the built bundles: Node must find, read and load only a few small files. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { quickEntries } from './quick-bundles.js';

const ROOT = join(import.meta.dirname, '../..');
/** Modules that each take as long to load as a short command runs. */
const SLOW = ['crypto', 'http', 'https', 'tls', 'child_process', 'zlib', 'fs/promises'];

const node = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: 'utf8' });

describe('a quick command', () => {
  test.each(quickEntries.map(([name]) => name))(
    '%s is one file, and loads nothing that is slow before it knows that it is needed',
    (name) => {
      const script = `
      const { takeCommand } = require(process.argv[1]);
      const files = Object.keys(require.cache);
      const builtins = process.moduleLoadList.map((one) => one.replace('NativeModule ', ''));
      console.log(JSON.stringify({ kind: typeof takeCommand, files, builtins }));`;
      const file = join(ROOT, 'dist', `${name}.cjs`);
      const { kind, files, builtins } = JSON.parse(node('-e', script, file));
      expect(kind).toBe('function');
      expect(files).toEqual([file]);
      const known = JSON.parse(node('-p', 'JSON.stringify(process.moduleLoadList)')) as string[];
      const own = SLOW.filter((one) => !known.includes(`NativeModule ${one}`));
      expect(builtins.filter((one: string) => own.includes(one))).toEqual([]);
    },
  );

  test.each([['version'], ['--version'], ['-V'], ['version', '--json'], ['--version', '--json'], ['version', '-q']])(
    'says of %s %s what the whole CLI says',
    (...args) => {
      const said = node(join(ROOT, 'bin/orchd.js'), ...args);
      expect(said).toContain('0.');
      expect(said).toBe(node(join(ROOT, 'dist/cli.js'), ...args));
    },
  );
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRegularFile } from './read-regular-file.js';

const dir = mkdtempSync(join(tmpdir(), 'orchd-read-'));
afterAll(() => rmSync(dir, { recursive: true }));
const at = (name: string): string => join(dir, name);

test('reads a regular file, also through a link', () => {
  writeFileSync(at('file'), 'text');
  symlinkSync('file', at('link'));
  expect([readRegularFile(at('file'), 4), readRegularFile(at('link'), 4)]).toEqual(['text', 'text']);
});

test('refuses a pipe, a device, a folder, a loop of links and a large file, and names the path', () => {
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('zero'));
  symlinkSync('loop', at('loop'));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 2 ** 34);
  for (const [path, why] of [
    [at('pipe'), 'is not a regular file'],
    [at('zero'), 'is not a regular file'],
    [dir, 'is not a regular file'],
    [at('loop'), 'cannot be read'],
    [at('large'), 'has more than 1024 KiB'],
  ] as const) {
    const error = expect.objectContaining({ code: 'ORCHD_FILE', message: expect.stringContaining(`${path} ${why}`) });
    expect(() => readRegularFile(path, 1024 * 1024)).toThrow(error);
  }
});

import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDirectory } from './make-directory.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'orchd-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('creates missing directories with private modes, and does not change existing ones', () => {
  mkdirSync(join(home, 'there'), { mode: 0o755 });
  symlinkSync(join(home, 'there'), join(home, 'link'));
  makeDirectory(join(home, 'link/a/b'));
  makeDirectory(join(home, 'there/a/b'));
  const modes = ['there', 'there/a', 'there/a/b'].map((path) => statSync(join(home, path)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o700, 0o700]);
});

test('names the path that is in the way', () => {
  writeFileSync(join(home, 'file'), '');
  symlinkSync(join(home, 'nowhere'), join(home, 'dangling'));
  for (const [path, why] of [
    ['file', `${home}/file is not a directory`],
    ['file/a/b', `${home}/file is not a directory`],
    ['dangling/a', 'EEXIST'],
  ] as const) {
    const wanted = expect.objectContaining({ code: 'ORCHD_FILE', message: expect.stringContaining(why) });
    expect(() => makeDirectory(join(home, path)), path).toThrow(wanted);
  }
});

/** Tests that adapters can read files with any content, and that folders are judged as Gemini CLI judges them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MACHINE } from './machine.js';

const IS_ROOT = process.getuid?.() === 0;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-machine-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('text returns the text of a file, and null if there is none', () => {
  writeFileSync(join(dir, 'a.toml'), 'x = 1\n');
  expect(MACHINE.text(join(dir, 'a.toml'))).toBe('x = 1\n');
  symlinkSync('a.toml', join(dir, 'link'));
  expect(MACHINE.text(join(dir, 'link'))).toBe('x = 1\n');
  for (const none of ['b.toml', '', '\0', 'a.toml/b']) expect(MACHINE.text(join(dir, none))).toBeNull();
});

test('isRootsAlone is false for a folder that others can write to, and for folders within it', () => {
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  chmodSync(join(dir, 'a'), 0o777);
  expect(MACHINE.isRootsAlone(join(dir, 'a'))).toBe(false);
  expect(MACHINE.isRootsAlone(join(dir, 'a/b'))).toBe(false);
  symlinkSync(join(dir, 'a/b'), join(dir, 'link'));
  expect(MACHINE.isRootsAlone(join(dir, 'link'))).toBe(false);
  symlinkSync(join(dir, 'gone'), join(dir, 'dangling'));
  expect(MACHINE.isRootsAlone(join(dir, 'dangling/c'))).toBe(false);
  writeFileSync(join(dir, 'file'), '');
  expect(MACHINE.isRootsAlone(join(dir, 'file/c'))).toBe(false);
});

test('isRootsAlone is true for system folders if the user is root', () => {
  expect(MACHINE.isRootsAlone('/')).toBe(IS_ROOT);
  expect(MACHINE.isRootsAlone('/usr/not-there/ses_1')).toBe(IS_ROOT);
});

test.runIf(IS_ROOT && MACHINE.isRootsAlone(homedir()))(
  'isRootsAlone is true for a folder in the home of root until others may write to it',
  () => {
    const own = mkdtempSync(join(homedir(), '.orchd-machine-'));
    try {
      expect(MACHINE.isRootsAlone(join(own, 'ses_1'))).toBe(true);
      symlinkSync(own, join(own, 'link'));
      expect(MACHINE.isRootsAlone(join(own, 'link/ses_1'))).toBe(true);
      chmodSync(own, 0o770);
      expect(MACHINE.isRootsAlone(join(own, 'ses_1'))).toBe(false);
    } finally {
      rmSync(own, { recursive: true });
    }
  },
);

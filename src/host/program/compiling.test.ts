import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { missingTools } from './compiling.js';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true });
});

/** Returns a directory with these programs. */
function having(...programs: string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'orchd-tools-'));
  made.push(dir);
  for (const program of programs) {
    writeFileSync(join(dir, program), '#!/bin/sh\n');
    chmodSync(join(dir, program), 0o755);
  }
  return dir;
}

test('nothing is missing if each tool is in one of the directories', () => {
  expect(missingTools(`${having('clang++', 'gmake')}:${having('python3')}`)).toBe('');
});

test('the missing tools are named with the command that installs them', () => {
  expect(missingTools(having('python3', 'apt-get'))).toBe(
    'this machine has no C++ compiler and no make: `apt-get install -y build-essential python3`',
  );
  expect(missingTools(having('c++', 'make', 'apk'))).toBe('this machine has no Python 3: `apk add build-base python3`');
});

test('without a known package manager only the tools are named', () => {
  expect(missingTools('')).toBe('this machine has no C++ compiler and no make and no Python 3');
});

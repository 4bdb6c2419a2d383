import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDirectory } from './find-directory.js';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'orchd-home-'));
  for (const path of ['shop/.orchd', 'shop/ci', 'one/api', 'two/api', 'deep/web']) {
    mkdirSync(join(home, path), { recursive: true });
  }
  writeFileSync(join(home, 'file'), '');
});
afterAll(() => rmSync(home, { recursive: true }));

const known = (): string[] => ['one/api', 'two/api', 'deep/web', 'deep/web', 'gone/x'].map((path) => join(home, path));
const find = (directory: string) => findDirectory(directory, home, known());

test.each([
  ['shop', 'shop', 'shop'],
  ['shop/ci', 'shop/ci', 'shop'],
  ['~/shop/', 'shop/', 'shop/'],
  ['web', 'deep/web', null],
])('finds %s as a path below the home directory, or as the name of a known directory', (given, path, project) => {
  const inHome = (one: string): string => join(home, one);
  expect(find(given)).toEqual({ directory: inHome(path), project: project === null ? null : inHome(project) });
});

test('finds an absolute path, and the home directory as ~', () => {
  expect(find(join(home, 'one/api')).directory).toBe(join(home, 'one/api'));
  expect(join(find('~').directory)).toBe(join(home, '/').replace(/\/$/, ''));
});

test('refuses what is not there, a file, and a name of several directories', () => {
  expect(() => find('/nowhere/at/all')).toThrow('there is no directory /nowhere/at/all');
  expect(() => find('shop/nothing')).toThrow(`there is no directory ${join(home, 'shop/nothing')}`);
  expect(() => find('x')).toThrow("and nothing was started in another one called 'x'");
  expect(() => find('file')).toThrow('there is no directory');
  expect(() => find('api')).toThrow(/several directories are called 'api', give a path: .*one\/api, .*two\/api/);
});

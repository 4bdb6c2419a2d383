/** Tests which commit a build records as its source. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCommit } from './commit.js';

const root = mkdtempSync(join(tmpdir(), 'orchd-commit-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const IDENTITY = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
const git = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('git', ['-C', root, ...IDENTITY, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

test('returns the commit of the checkout, with a + if files differ, and null without a checkout', ({ skip }) => {
  if (spawnSync('git', ['--version']).error) skip('git is not installed');
  expect(readCommit(root, {})).toBeNull();
  expect(readCommit(root, { ORCHD_BUILD_COMMIT: 'abc' })).toBe('abc');
  git('init', '--quiet');
  writeFileSync(join(root, 'a'), '1');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  const commit = git('rev-parse', '--short=12', 'HEAD');
  expect(readCommit(root, {})).toBe(commit);
  writeFileSync(join(root, 'a'), '2');
  expect(readCommit(root, {})).toBe(`${commit}+`);
  mkdirSync(join(root, 'node_modules'));
  expect(readCommit(join(root, 'node_modules'), {})).toBeNull();
});

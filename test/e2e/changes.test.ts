/**
 * Tests the changes of a session in its repository. Reading them starts no program that the repository's configuration
 * names.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutputOf } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal } from '../tui/person.js';

type Changes = OutputOf<'session.changes'>;

let daemon: TestDaemon;
let folder: string;
let repository: string;
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8' });

beforeAll(async () => {
  daemon = await startDaemon();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-changes-')));
  repository = join(folder, 'proj');
  mkdirSync(join(repository, 'src'), { recursive: true });
  git(repository, 'init', '--quiet');
  writeFileSync(join(repository, 'src/a'), 'one\ntwo\n');
  writeFileSync(join(repository, 'gone'), 'x\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'one');
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts a session in a worktree on a branch.
 * @returns The worktree.
 */
async function inWorktree(branch: string): Promise<string> {
  await daemon.orchd('run', '-d', '-C', repository, '--worktree', branch, '--', 'cat');
  return (await daemon.client.call('session.show', { session: branch })).cwd;
}

test('diff counts commits, edits, new and deleted files and changes nothing in the repository', async () => {
  const tree = await inWorktree('fix');
  writeFileSync(join(tree, 'src/a'), 'one\n2\nthree\n');
  git(tree, 'commit', '--quiet', '-am', 'two');
  writeFileSync(join(tree, 'neu ü'), 'new\n');
  rmSync(join(tree, 'gone'));
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'main goes on');
  const index = join(git(tree, 'rev-parse', '--absolute-git-dir').trim(), 'index');
  const before = readFileSync(index);
  const changes = await daemon.json<Changes>('diff', 'fix');
  expect(changes).toMatchObject({
    root: tree,
    repository,
    is_worktree: true,
    branch: 'fix',
    commits: 1,
    added: 3,
    removed: 2,
    file_count: 3,
    files: [
      { path: 'gone', added: 0, removed: 1 },
      { path: 'neu ü', added: 1, removed: 0 },
      { path: 'src/a', added: 2, removed: 1 },
    ],
  });
  expect(changes.patch).toMatch(/\+\+\+ b\/neu ü\t?\n@@ -0,0 \+1 @@\n\+new\n/);
  expect(readFileSync(index)).toEqual(before);
  expect(git(tree, 'status', '--porcelain')).toBe(' D gone\n?? "neu \\303\\274"\n');
  const { stdout } = await daemon.orchd('diff', 'fix', '--stat');
  expect(stdout).toMatch(/^fix: 3 files, \+3 −2 with 1 commit since [0-9a-f]{7}\n {2}\+0 −1 {2}gone\n/);
  expect((await daemon.orchd('show', 'fix')).stdout).toMatch(/changes +fix: 3 files, \+3 −2 with 1 commit/);
});

test('diff finds an edit of equal length in the second in which git wrote the index', async () => {
  const tree = await inWorktree('second');
  const index = join(git(tree, 'rev-parse', '--absolute-git-dir').trim(), 'index');
  const file = join(tree, 'src/a');
  const second = 1_700_000_000;
  git(tree, 'config', 'core.trustctime', 'false');
  utimesSync(file, second, second);
  git(tree, 'update-index', '--really-refresh');
  utimesSync(index, second, second);
  writeFileSync(file, 'one\n222\n');
  utimesSync(file, second, second);
  const { files } = await daemon.json<Changes>('diff', 'second');
  expect(files).toEqual([{ path: 'src/a', added: 1, removed: 1 }]);
});

test('diff starts no program that the configuration of the repository names', async () => {
  const tree = await inWorktree('evil');
  const mark = join(folder, 'started');
  const trap = join(folder, 'trap');
  writeFileSync(trap, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`, { mode: 0o755 });
  const set = (name: string, value: string) => git(repository, 'config', name, value);
  for (const name of ['core.fsmonitor', 'diff.external', 'diff.bad.textconv', 'diff.bad.command', 'core.pager'])
    set(name, trap);
  for (const name of ['filter.bad.clean', 'filter.bad.smudge', 'filter.bad.process']) set(name, trap);
  set('filter.bad.required', 'true');
  set('core.hooksPath', folder);
  writeFileSync(join(folder, 'post-index-change'), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  writeFileSync(join(tree, '.gitattributes'), '* filter=bad diff=bad\n');
  writeFileSync(join(tree, 'src/a'), 'changed\n');
  const { files, patch } = await daemon.json<Changes>('diff', 'evil');
  expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'src/a']);
  expect(patch).toContain('+changed');
  expect(existsSync(mark)).toBe(false);
});

test('diff escapes control characters in files and refuses a folder outside of git', async () => {
  for (const name of ['core.fsmonitor', 'diff.external', 'core.pager', 'core.hooksPath'])
    git(repository, 'config', '--unset', name);
  const tree = await inWorktree('odd');
  writeFileSync(join(tree, 'src/a'), 'a\x1b]0;title\x07b\n');
  const { stdout } = await daemon.orchd('diff', 'odd');
  expect(stdout).not.toContain('\x1b');
  expect(stdout).toContain('+a‹U+001B›]0;title');
  await daemon.orchd('run', '-d', '--name', 'plain', '-C', folder, '--', 'cat');
  expect(await daemon.orchd('diff', 'plain')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${folder} is in no git repository`),
  });
  expect((await daemon.orchd('show', 'plain')).stdout).not.toMatch(/^changes /m);
});

test('D in the TUI shows the changes from the top, and q returns', async () => {
  const person = openTerminal('orchd start', { env: daemon.env, cols: 100, rows: 30 });
  try {
    await person.sees(/Sessions 5/);
    person.types('/odd\rD');
    await person.sees(/odd: 1 file, \+1 −2[\s\S]*src\/a[\s\S]*diff --git a\/src\/a b\/src\/a/);
    await person.sees(/\] \[ file {2}\/ search {2}c commit {2}m merge {2}x discard {2}q leaves/);
    person.types(']');
    await person.sees(/^diff --git a\/src\/a/m);
    person.types(']');
    await person.sees(/this is the last file/);
    person.types('mn');
    await person.sees(/nothing was done/);
    person.types('cFix it\r');
    await person.sees(/1 file committed as [0-9a-f]{7}/);
    const { cwd } = await daemon.client.call('session.show', { session: 'odd' });
    expect(git(cwd, 'log', '-1', '--format=%s')).toBe('Fix it\n');
    person.types('d');
    await person.sees(/why +\S/);
  } finally {
    person.close();
  }
});

/** Tests `orchd git` commit, merge and discard, also in repositories whose configuration an agent has written. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OutputOf } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person } from '../tui/person.js';

let daemon: TestDaemon;
let folder: string;
let repository: string;
let number = 0;
const people: Person[] = [];
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-git-acts-')));
  daemon = await startDaemon({
    env: { GIT_AUTHOR_NAME: 'ignored', HOME: folder },
  });
  writeFileSync(join(folder, '.gitconfig'), '[user]\nname = A Person\nemail = person@example.org\n');
});
beforeEach(() => {
  repository = join(folder, `proj${++number}`);
  mkdirSync(repository);
  git(repository, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(repository, 'a'), 'one\ntwo\nthree\n');
  writeFileSync(join(repository, '.gitignore'), 'ignored\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'one');
});
afterEach(() => {
  for (const person of people.splice(0)) person.close();
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a session in a worktree on a branch. @returns The worktree. */
async function inWorktree(branch: string): Promise<string> {
  await daemon.orchd('run', '-d', '-C', repository, '--worktree', branch, '--', 'cat');
  return (await daemon.client.call('session.show', { session: branch })).cwd;
}
const end = (session: string) => daemon.client.call('session.kill', { session, grace_ms: 0 });
const head = (cwd: string): string => git(cwd, 'rev-parse', 'HEAD').trim();
const state = (cwd: string): string => `${head(cwd)} ${git(cwd, 'status', '--porcelain')}`;

/** Sets every command that the configuration can name to one that writes a mark. */
function setTraps(): { readonly marks: () => string } {
  const mark = join(folder, `mark${number}`);
  const trap = join(folder, `trap${number}`);
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`, { mode: 0o755 });
  const hooks = join(folder, `hooks${number}`);
  mkdirSync(hooks);
  for (const hook of [
    'pre-commit',
    'commit-msg',
    'pre-merge-commit',
    'post-merge',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'prepare-commit-msg',
  ])
    writeFileSync(join(hooks, hook), `#!/bin/sh\necho ${hook} >> '${mark}'\n`, { mode: 0o755 });
  git(repository, 'config', 'core.hooksPath', hooks);
  const names = [
    'core.fsmonitor',
    'core.editor',
    'core.pager',
    'diff.external',
    'gpg.program',
    'core.sshCommand',
    'core.askPass',
  ];
  for (const name of names) git(repository, 'config', name, trap);
  for (const name of ['filter.a=b', 'filter.bad', 'merge.bad', 'diff.bad'])
    for (const key of ['clean', 'smudge', 'process', 'driver', 'command', 'textconv'])
      git(repository, 'config', `${name}.${key}`, trap);
  for (const event of ['pre-commit', 'post-merge', 'reference-transaction', 'post-checkout', 'post-index-change']) {
    git(repository, 'config', '--add', 'hook.a=b.event', event);
    git(repository, 'config', 'hook.a=b.command', trap);
  }
  git(repository, 'config', 'commit.gpgSign', 'true');
  git(repository, 'config', 'gc.auto', '1');
  return { marks: () => (existsSync(mark) ? readFileSync(mark, 'utf8') : '') };
}

test("commit takes all changes and new files with the user's name, and refuses an empty commit", async () => {
  const tree = await inWorktree('fix');
  writeFileSync(join(tree, 'a'), 'one\n2\nthree\n');
  writeFileSync(join(tree, 'new file'), 'x\n');
  writeFileSync(join(tree, 'ignored'), 'x\n');
  const { code, stdout } = await daemon.orchd('git', 'commit', 'fix', '-m', 'Fix it\n\nbody');
  expect({ code, stdout }).toEqual({ code: 0, stdout: `fix: 2 files committed as ${head(tree).slice(0, 7)}\n` });
  expect(git(tree, 'log', '-1', '--format=%an %s %b').trim()).toBe('A Person Fix it body');
  expect(git(tree, 'show', '--stat', '--format=')).toMatch(/ a .*\n new file /);
  const again = await daemon.orchd('git', 'commit', 'fix', '-m', 'x');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('there is nothing to commit in') });
  expect((await daemon.orchd('git', 'commit', 'fix')).stderr).toContain('say what the commit is');
});

test("commit runs the user's hooks, which can refuse it, and --no-hooks skips them", async () => {
  const tree = await inWorktree('hooked');
  const seen = join(folder, 'seen');
  writeFileSync(
    join(repository, '.git/hooks/pre-commit'),
    `#!/bin/sh\necho "$MINE" > '${seen}'\necho 'lint failed' >&2\nexit 1\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(tree, 'a'), 'changed\n');
  const before = head(tree);
  const person = openTerminal('MINE=yes orchd git commit hooked -m x; echo "left:$?"', { env: daemon.env, cols: 100 });
  people.push(person);
  await person.sees(/lint failed[\s\S]*left:1/);
  expect(readFileSync(seen, 'utf8')).toBe('yes\n');
  expect(head(tree)).toBe(before);
  expect((await daemon.orchd('git', 'commit', 'hooked', '-m', 'x', '--no-hooks')).code).toBe(0);
  expect(head(tree)).not.toBe(before);
});

test('commit and merge refuse a worktree with an unfinished merge', async () => {
  const tree = await inWorktree('mid');
  writeFileSync(join(tree, 'a'), 'theirs\n');
  git(tree, 'commit', '--quiet', '-am', 'theirs');
  writeFileSync(join(repository, 'a'), 'ours\n');
  git(repository, 'commit', '--quiet', '-am', 'ours');
  expect(() => git(tree, 'merge', 'main')).toThrow();
  expect((await daemon.orchd('git', 'commit', 'mid', '-m', 'x')).stderr).toContain(`a merge is unfinished in ${tree}`);
  expect((await daemon.orchd('git', 'merge', 'mid')).stderr).toContain('a merge is unfinished');
});

test('merge brings the commits into the main worktree, and a second merge does nothing', async () => {
  const tree = await inWorktree('feature');
  writeFileSync(join(tree, 'b'), 'b\n');
  const dirty = await daemon.orchd('git', 'merge', 'feature');
  expect(dirty.stderr).toContain(`1 file in ${tree} is not committed: commit it first`);
  expect(dirty.stderr).not.toContain('--worktree');
  await daemon.orchd('git', 'commit', 'feature', '-m', 'b');
  writeFileSync(join(repository, 'c'), 'c\n');
  git(repository, 'add', 'c');
  git(repository, 'commit', '--quiet', '-m', 'c');
  const merged = await daemon.json<OutputOf<'session.merge'>>('git', 'merge', 'feature');
  expect(merged).toEqual({ branch: 'feature', into: 'main', repository, commit: head(repository), commits: 1 });
  expect(readFileSync(join(repository, 'b'), 'utf8')).toBe('b\n');
  expect(git(repository, 'log', '-1', '--format=%s').trim()).toBe("Merge branch 'feature'");
  expect(git(repository, 'status', '--porcelain')).toBe('');
  expect((await daemon.orchd('git', 'merge', 'feature')).stdout).toBe('main has everything of feature already\n');
});

test('merge changes nothing if the main worktree is dirty, detached or in conflict', async () => {
  const tree = await inWorktree('clash');
  writeFileSync(join(tree, 'a'), 'theirs\n');
  writeFileSync(join(tree, 'b'), 'b\n');
  await daemon.orchd('git', 'commit', 'clash', '-m', 'theirs');
  writeFileSync(join(repository, 'a'), 'mine\n');
  const dirty = state(repository);
  expect((await daemon.orchd('git', 'merge', 'clash')).stderr).toContain(
    `${repository} has 1 change that is not committed`,
  );
  expect(state(repository)).toBe(dirty);
  git(repository, 'commit', '--quiet', '-am', 'mine');
  const before = state(repository);
  const conflict = await daemon.orchd('git', 'merge', 'clash');
  expect(conflict).toMatchObject({ code: 1 });
  expect(conflict.stderr).toContain('clash and main conflict in 1 file: a. Nothing was changed');
  expect(state(repository)).toBe(before);
  expect(existsSync(join(repository, '.git/MERGE_HEAD'))).toBe(false);
  // The merge keeps an untracked file that it would have to overwrite.
  writeFileSync(join(tree, 'a'), 'one\ntwo\nthree\n');
  await daemon.orchd('git', 'commit', 'clash', '-m', 'back');
  writeFileSync(join(repository, 'b'), 'precious\n');
  expect((await daemon.orchd('git', 'merge', 'clash')).code).toBe(1);
  expect(readFileSync(join(repository, 'b'), 'utf8')).toBe('precious\n');
  expect(head(repository)).toBe(before.split(' ')[0]);
  git(repository, 'checkout', '--quiet', '--detach');
  expect((await daemon.orchd('git', 'merge', 'clash')).stderr).toContain('has no branch checked out');
});

test('merge and discard run no configured program, and merge refuses filters and merge drivers', async () => {
  const tree = await inWorktree('evil');
  writeFileSync(join(tree, 'b'), 'b\n');
  git(tree, 'add', '.');
  git(tree, 'commit', '--quiet', '-m', 'b');
  writeFileSync(join(repository, 'c'), 'c\n');
  git(repository, 'add', 'c');
  git(repository, 'commit', '--quiet', '-m', 'c');
  const { marks } = setTraps();
  const attributes = join(repository, '.git/info/attributes');
  writeFileSync(attributes, '* merge=bad diff=bad\n');
  expect((await daemon.orchd('git', 'merge', 'evil')).code).toBe(0);
  expect(marks()).toBe('');
  for (const filter of ['a=b', 'bad']) {
    writeFileSync(attributes, '');
    writeFileSync(join(tree, 'b'), `${filter}\n`);
    git(
      tree,
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'commit.gpgSign=false',
      '-c',
      'gc.auto=0',
      'commit',
      '--quiet',
      '-am',
      filter,
    );
    writeFileSync(attributes, `* filter=${filter}\n`);
    expect((await daemon.orchd('git', 'merge', 'evil')).stderr).toContain(`b has the filter '${filter}'`);
    expect((await daemon.json<OutputOf<'session.changes'>>('diff', 'evil')).file_count).toBeGreaterThan(0);
    expect(marks()).toBe('');
  }
  // Both sides change the same file. The merge driver is not started, so this is a conflict.
  writeFileSync(join(repository, 'b'), 'other\n');
  writeFileSync(attributes, '');
  git(
    repository,
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'core.fsmonitor=false',
    '-c',
    'commit.gpgSign=false',
    '-c',
    'gc.auto=0',
    'commit',
    '--quiet',
    '-am',
    'other',
  );
  writeFileSync(attributes, '* merge=bad\n');
  expect((await daemon.orchd('git', 'merge', 'evil')).stderr).toContain('conflict in 1 file: b');
  expect(marks()).toBe('');
  await end('evil');
  writeFileSync(attributes, '* filter=bad merge=bad\n');
  writeFileSync(join(tree, 'b'), 'not committed\n');
  const { ref } = await daemon.json<OutputOf<'session.discard'>>('git', 'discard', 'evil', '--yes');
  expect(git(repository, 'cat-file', 'blob', `${ref}:b`)).toBe('not committed\n');
  expect(marks()).toBe('');
});

test('merge does not overwrite a file that git ignores', async () => {
  const tree = await inWorktree('greedy');
  mkdirSync(join(tree, 'dir'));
  writeFileSync(join(tree, 'dir/ignored'), 'theirs\n');
  git(tree, 'add', '--force', 'dir/ignored');
  git(tree, 'commit', '--quiet', '-m', 'a file that git ignores');
  const before = state(repository);
  mkdirSync(join(repository, 'dir'));
  writeFileSync(join(repository, 'dir/ignored'), 'mine\n');
  const merge = () => daemon.orchd('git', 'merge', 'greedy');
  expect((await merge()).stderr).toContain(`would overwrite ${join(repository, 'dir/ignored')}`);
  expect(readFileSync(join(repository, 'dir/ignored'), 'utf8')).toBe('mine\n');
  // A file where the branch has a directory.
  rmSync(join(repository, 'dir'), { recursive: true });
  writeFileSync(join(repository, '.git/info/exclude'), 'dir\n');
  writeFileSync(join(repository, 'dir'), 'mine\n');
  expect((await merge()).stderr).toContain(`would overwrite ${join(repository, 'dir')}`);
  expect(state(repository)).toBe(before);
  rmSync(join(repository, 'dir'));
  expect((await merge()).code).toBe(0);
  expect(readFileSync(join(repository, 'dir/ignored'), 'utf8')).toBe('theirs\n');
});

test("merge refuses filters from the branch's .gitattributes and ignores configured merge options", async () => {
  const tree = await inWorktree('sly');
  writeFileSync(join(tree, '.gitattributes'), '*.bin filter=sly\n');
  writeFileSync(join(tree, 'x.bin'), 'pointer\n');
  git(tree, 'add', '.');
  git(tree, 'commit', '--quiet', '-m', 'x');
  git(repository, 'config', 'filter.sly.smudge', 'cat');
  expect((await daemon.orchd('git', 'merge', 'sly')).stderr).toContain("x.bin has the filter 'sly'");
  git(tree, 'rm', '--quiet', '.gitattributes');
  git(tree, 'commit', '--quiet', '-m', 'without');
  git(repository, 'config', 'branch.main.mergeOptions', '--squash -s sly');
  git(repository, 'config', 'pull.twohead', 'sly');
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'no fast-forward');
  expect((await daemon.orchd('git', 'merge', 'sly')).code).toBe(0);
  expect(git(repository, 'rev-list', '--count', '--merges', 'HEAD').trim()).toBe('1');
});

test('discard refuses a worktree that contains another repository', async () => {
  const tree = await inWorktree('nest');
  const inner = join(tree, 'inner');
  mkdirSync(inner);
  git(inner, 'init', '--quiet');
  git(inner, 'commit', '--quiet', '--allow-empty', '-m', 'inner');
  await end('nest');
  const discard = () => daemon.orchd('git', 'discard', 'nest', '--yes');
  expect((await discard()).stderr).toContain(`${inner}/ is a repository of its own`);
  git(tree, 'add', 'inner');
  expect((await discard()).stderr).toContain(`${inner} is a repository of its own`);
  expect(existsSync(join(inner, '.git'))).toBe(true);
  expect(git(repository, 'for-each-ref', 'refs/orchd')).toBe('');
  rmSync(inner, { recursive: true });
  expect((await discard()).code).toBe(0);
});

test('discard removes worktree and branch of an ended session and keeps their content under a ref', async () => {
  const tree = await inWorktree('spike');
  writeFileSync(join(tree, 'a'), 'committed\n');
  git(tree, 'commit', '--quiet', '-am', 'work');
  writeFileSync(join(tree, 'a'), 'edited\n');
  writeFileSync(join(tree, 'new'), 'new\n');
  const alive = await daemon.orchd('git', 'discard', 'spike', '--yes');
  expect(alive).toMatchObject({ code: 4, stderr: expect.stringContaining(`a session runs in ${tree}`) });
  await end('spike');
  expect((await daemon.orchd('git', 'discard', 'spike')).stderr).toContain('give --yes');
  expect(existsSync(tree)).toBe(true);
  const person = openTerminal('orchd git discard spike; echo "left:$?"', { env: daemon.env, cols: 120 });
  people.push(person);
  await person.sees(/spike: 2 files, \+2 −3 with 1 commit[\s\S]*\[y\/N\]/);
  person.types('n\r');
  await person.sees('left:2');
  expect(existsSync(tree)).toBe(true);
  git(repository, 'worktree', 'lock', tree);
  const locked = await daemon.orchd('git', 'discard', 'spike', '--yes');
  expect(locked.stderr).toMatch(/the content is kept as refs\/orchd\/discarded\/spike-/);
  expect(existsSync(tree)).toBe(true);
  git(repository, 'worktree', 'unlock', tree);
  const done = await daemon.json<OutputOf<'session.discard'>>('git', 'discard', 'spike', '--yes');
  expect(done).toMatchObject({ branch: 'spike', root: tree, repository });
  expect(done.ref).toMatch(/^refs\/orchd\/discarded\/spike-\d{8}T\d{9}Z$/);
  expect(existsSync(tree)).toBe(false);
  expect(git(repository, 'branch', '--list', 'spike')).toBe('');
  expect(git(repository, 'show', `${done.ref}:a`)).toBe('edited\n');
  expect(git(repository, 'show', `${done.ref}:new`)).toBe('new\n');
  expect(git(repository, 'show', `${done.ref}~1:a`)).toBe('committed\n');
});

test('the main worktree is refused, and discard refuses a directory of a running session', async () => {
  await daemon.orchd('run', '-d', '--name', 'inmain', '-C', repository, '--', 'cat');
  for (const act of [['merge'], ['discard', '--yes']])
    expect((await daemon.orchd('git', act[0] ?? '', 'inmain', ...act.slice(1))).stderr).toContain(
      'is the main worktree',
    );
  const tree = await inWorktree('shared');
  mkdirSync(join(tree, 'deep'));
  await daemon.orchd('run', '-d', '--name', 'second', '-C', join(tree, 'deep'), '--', 'cat');
  await end('shared');
  expect((await daemon.orchd('git', 'discard', 'shared', '--yes')).stderr).toContain(
    `a session runs in ${join(tree, 'deep')}`,
  );
  expect(existsSync(tree)).toBe(true);
});

test('a program in a session may not commit, merge or discard', async () => {
  const tree = await inWorktree('inner');
  writeFileSync(join(tree, 'a'), 'x\n');
  const orchd = `${process.execPath} ${join(import.meta.dirname, '../../bin/orchd.js')}`;
  const script = `for act in 'commit inner -m x' 'merge inner' 'discard inner --yes'; do ${orchd} git $act; echo "code:$?"; done`;
  const { id } = await daemon.sh(script, '--name', 'tries', '-C', tree);
  await daemon.client.call('session.wait', { session: id, until: 'exited', timeout_ms: 60_000 });
  const { text } = await daemon.client.call('session.capture', { session: id, scrollback: 100 });
  expect(text.match(/code:1/g)).toHaveLength(3);
  expect(git(tree, 'log', '--format=%s').trim()).toBe('one');
});

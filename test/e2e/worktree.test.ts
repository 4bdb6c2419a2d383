/** Tests `orchd run --worktree`: it creates a new branch in a worktree beside the repository, or says why it cannot. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon;
let folder: string;
let repository: string;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });

beforeAll(async () => {
  daemon = await startDaemon();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-trees-')));
  repository = join(folder, 'proj');
  mkdirSync(join(repository, 'src'), { recursive: true });
  git('init', '--quiet');
  writeFileSync(join(repository, 'src/a'), 'a');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'one');
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (cwd: string, ...flags: string[]) => daemon.orchd('run', '-d', '-C', cwd, ...flags, '--', 'cat');

/** Returns the directory of a session that was started in a worktree. */
async function cwdOf(cwd: string, branch: string): Promise<string> {
  const { stdout } = await run(cwd, '--worktree', branch);
  return (await daemon.client.call('session.show', { session: stdout.trim() })).cwd;
}

test('the session runs in the same folder of a new worktree', async () => {
  const cwd = await cwdOf(join(repository, 'src'), 'fix/it');
  expect(cwd).toBe(join(folder, 'proj-fix-it/src'));
  expect(git('-C', cwd, 'branch', '--show-current').trim()).toBe('fix/it');
  // The worktree of a worktree is also beside the main repository.
  expect(await cwdOf(cwd, 'more')).toBe(join(folder, 'proj-more/src'));
});

test('without a branch name the branch has the name of the session or the program', async () => {
  expect((await run(repository, '--name', 'mine', '--worktree')).stderr).toMatch(/proj-mine, branch mine\n/);
  expect((await run(repository, '--worktree')).stderr).toMatch(/branch cat-[0-9a-f]{4}\n/);
});

test('the session is named after its branch unless the name is taken, and rm keeps the worktree', async () => {
  const nameOf = async (branch: string): Promise<string> => {
    const { stdout } = await run(repository, '--worktree', branch);
    return (await daemon.client.call('session.show', { session: stdout.trim() })).name;
  };
  expect(await nameOf('feat/login')).toBe('feat-login');
  expect(await nameOf('Größe-éà')).toBe('Grosse-ea');
  await daemon.orchd('run', '-d', '--name', 'there-name', '--', 'cat');
  expect(await nameOf('there/name')).toMatch(/^cat/);

  await daemon.orchd('kill', 'feat-login');
  const { stderr } = await daemon.orchd('rm', 'feat-login');
  const tree = join(folder, 'proj-feat-login');
  expect(stderr).toContain(`its worktree ${tree} stays, with the branch feat/login; `);
  const [, command = ''] = /`(git [^`]+)`/.exec(stderr) ?? [];
  execFileSync('sh', ['-c', command]);
  expect(existsSync(tree)).toBe(false);
});

test('the command that rm prints is quoted correctly for any folder name', async () => {
  const tree = join(folder, "it's; touch pasted #");
  git('worktree', 'add', '--quiet', '--detach', tree);
  const { stdout } = await daemon.orchd('run', '-d', '-C', tree, '--', 'true');
  await daemon.orchd('wait', stdout.trim());
  const { stderr } = await daemon.orchd('rm', stdout.trim());
  const [, command = ''] = /`(git [^`]+)`/.exec(stderr) ?? [];
  execFileSync('sh', ['-c', command], { cwd: folder });
  expect(existsSync(join(folder, 'pasted'))).toBe(false);
  expect(existsSync(tree)).toBe(false);
});

test('an invalid branch or directory is refused with a reason and changes nothing', async () => {
  git('branch', 'taken');
  mkdirSync(join(folder, 'proj-there'));
  for (const [cwd, branch, words] of [
    [repository, 'taken', /there is a branch 'taken' already; choose another name/],
    [repository, 'there', /proj-there exists already; choose another branch, or remove it/],
    [repository, 'a..b', /'a\.\.b' cannot be the name of a branch/],
    [folder, 'any', /is in no git repository/],
    [join(folder, 'none'), 'any', /there is no directory/],
  ] as const) {
    const { code, stderr } = await run(cwd, '--worktree', branch);
    expect(stderr).toMatch(words);
    expect(code).toBe(1);
  }
  expect(git('branch', '--list', 'any', 'there')).toBe('');
});

test('a session that cannot start leaves neither worktree nor branch', async () => {
  const { code } = await daemon.orchd('run', '-d', '-C', repository, '--worktree', 'gone', '--', 'no-such-program');
  expect(code).toBe(1);
  expect(existsSync(join(folder, 'proj-gone'))).toBe(false);
  expect(git('branch', '--list', 'gone')).toBe('');
});

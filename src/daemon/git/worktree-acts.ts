/**
 * Acts on the changes of a session: commit them, merge them into the branch of the main worktree, or
 * discard them. Each act checks everything before it changes anything.
 *
 * Commit runs what the person's own `git commit` would run: hooks, filters, signing. Merge and discard start no program
 * that the repository's configuration names. Because filters are off there, merge refuses changed files that have one.
 */
import { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { counted, errorMessage, OrchdError, type OutputOf } from '../../protocol/index.js';
import { copyIndex, emptyTree } from './changes.js';
import { type Git, openGit, openPersonsGit, WRITE_TIMEOUT_MS, withoutHooks } from './run-git.js';

interface Worktree {
  readonly git: Git;
  readonly root: string;
  /** The root of the main worktree. */
  readonly repository: string;
  readonly gitDir: string;
  readonly isLinked: boolean;
  /** Null if no branch is checked out. */
  readonly branch: string | null;
}

const refuse = (words: string): OrchdError => new OrchdError('ORCHD_WORKTREE', words);

/** @throws {OrchdError} ORCHD_WORKTREE */
async function openWorktree(directory: string): Promise<Worktree> {
  const git = await openGit(directory, { timeoutMs: WRITE_TIMEOUT_MS });
  const asked = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
  const [root = '', gitDir = '', common = ''] = (await git(...asked)).trimEnd().split('\n');
  const branch = (await git('branch', '--show-current')).trim() || null;
  const repository = basename(common) === '.git' ? dirname(common) : common;
  return {
    git: await openGit(root, { timeoutMs: WRITE_TIMEOUT_MS }),
    root,
    repository,
    gitDir,
    branch,
    isLinked: gitDir !== common,
  };
}

/** Files of the git directory that exist while an operation is unfinished. */
const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
};

function refuseUnfinished({ gitDir, root }: Worktree): void {
  const found = Object.keys(UNFINISHED).find((name) => existsSync(join(gitDir, name)));
  if (found !== undefined) throw refuse(`a ${UNFINISHED[found]} is unfinished in ${root}: end it first`);
}

/** Returns the changed files as git lists them; new ones included. */
async function dirtyFiles(git: Git): Promise<readonly string[]> {
  const status = await git('status', '--porcelain=v1', '-z', '--untracked-files=normal', '--ignore-submodules=none');
  return status.split('\0').filter(Boolean);
}

interface CommitOptions {
  readonly message: string;
  /** The person's environment, in which hooks run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True to skip the hooks. */
  readonly noHooks: boolean;
}

/** Commits all changes of the worktree, new files included. */
export async function commitIn(
  directory: string,
  { message, env, noHooks }: CommitOptions,
): Promise<OutputOf<'session.commit'>> {
  const tree = await openWorktree(directory);
  refuseUnfinished(tree);
  const { git, root, branch } = tree;
  const files = (await dirtyFiles(git)).length;
  if (files === 0) throw refuse(`there is nothing to commit in ${root}`);
  const own = openPersonsGit(root, env, noHooks ? await withoutHooks(git) : []);
  await own('add', '--all', '--', '.');
  await own('commit', '--quiet', '--message', message);
  const commit = (await git('rev-parse', 'HEAD')).trim();
  return { root, branch, commit, file_count: files };
}

/** Merges the branch of a linked worktree into the branch that the main worktree has checked out. */
export async function mergeFrom(directory: string): Promise<OutputOf<'session.merge'>> {
  const from = await openWorktree(directory);
  const { root, branch } = linked(from);
  refuseUnfinished(from);
  const own = await dirtyFiles(from.git);
  if (own.length > 0) {
    const [verb, them] = own.length === 1 ? ['is', 'it'] : ['are', 'them'];
    throw refuse(`${counted(own.length, 'file')} in ${root} ${verb} not committed: commit ${them} first`);
  }
  const target = await openWorktree(from.repository);
  refuseUnfinished(target);
  const into = target.branch;
  if (into === null) throw refuse(`${target.root} has no branch checked out`);
  const dirty = (await dirtyFiles(target.git)).filter((line) => !line.startsWith('??'));
  if (dirty.length > 0) {
    throw refuse(
      `${target.root} has ${counted(dirty.length, 'change')} that ${dirty.length === 1 ? 'is' : 'are'} not committed`,
    );
  }
  // The options of a branch and the strategies can name programs, and leave the merge without a commit.
  const git = await openGit(target.root, {
    timeoutMs: WRITE_TIMEOUT_MS,
    settings: [
      [`branch.${into}.mergeOptions`, ''],
      ['pull.twohead', 'ort'],
    ],
  });
  const before = (await git('rev-parse', 'HEAD')).trim();
  const tip = (await git('rev-parse', `refs/heads/${branch}`)).trim();
  const about = { branch, into, repository: target.root };
  const common = (await git('merge-base', before, tip).catch(() => '')).trim();
  if (common === tip) {
    return { ...about, commit: before, commits: 0 };
  }
  const base = common || (await emptyTree(git));
  await refuseFiltered([git, from.git], await pathsOf(git, base, tip));
  await refuseOverwriting(target, await pathsOf(git, base, tip, '--diff-filter=A'));
  const commits = Number(await git('rev-list', '--count', `${before}..${tip}`));
  try {
    await git('merge', '--no-edit', '--no-stat', '--no-autostash', '--message', `Merge branch '${branch}'`, tip);
  } catch (error) {
    const conflicts = (await git('diff', '--name-only', '--diff-filter=U', '-z')).split('\0').filter(Boolean);
    if (existsSync(join(target.gitDir, 'MERGE_HEAD'))) await git('merge', '--abort');
    if (conflicts.length === 0) throw error;
    const list = conflicts.slice(0, MAX_LISTED).join(', ') + (conflicts.length > MAX_LISTED ? ', …' : '');
    throw refuse(
      `${branch} and ${into} conflict in ${counted(conflicts.length, 'file')}: ${list}. Nothing was changed`,
    );
  }
  return { ...about, commit: (await git('rev-parse', 'HEAD')).trim(), commits };
}

const MAX_LISTED = 10;

/** Returns the files that a branch has changed since it left its base. */
async function pathsOf(git: Git, base: string, tip: string, ...options: string[]): Promise<readonly string[]> {
  return (await git('diff', '--name-only', '--no-renames', ...options, '-z', base, tip, '--'))
    .split('\0')
    .filter(Boolean);
}

/**
 * Refuses a merge of files with a filter: without it, the merge would write content that the filter should have changed
 * (git-lfs). Each worktree has its own `.gitattributes`, and the merge may bring new ones.
 * @throws {OrchdError} ORCHD_WORKTREE
 */
async function refuseFiltered(worktrees: readonly Git[], paths: readonly string[]): Promise<void> {
  for (const git of worktrees) {
    for (let at = 0; at < paths.length; at += CHECKED_AT_ONCE) {
      const attributes = await git('check-attr', '-z', 'filter', '--', ...paths.slice(at, at + CHECKED_AT_ONCE));
      const fields = attributes.split('\0');
      for (let field = 0; field + 2 < fields.length; field += 3) {
        const [path = '', , value = ''] = fields.slice(field, field + 3);
        if (['unspecified', 'unset', 'set', ''].includes(value)) continue;
        throw refuse(`${path} has the filter '${value}', which orchd does not start: merge with git itself`);
      }
    }
  }
}

/**
 * Git protects untracked files from a merge, but overwrites those that it ignores, such as `.env`.
 * @throws {OrchdError} ORCHD_WORKTREE
 */
async function refuseOverwriting({ git, root }: Worktree, added: readonly string[]): Promise<void> {
  const obstacles = new Set(added.flatMap((path) => obstacleOf(root, path) ?? []));
  for (const path of obstacles) {
    if ((await git('--literal-pathspecs', 'ls-files', '-z', '--', path)) !== '') continue;
    throw refuse(`the merge would overwrite ${join(root, path)}, which git does not keep: move it away first`);
  }
}

/**
 * Returns the path that blocks the writing of a file in a worktree: an existing file, or a parent that is not a
 * directory.
 */
function obstacleOf(root: string, path: string): string | null {
  const names = path.split('/');
  for (let length = 1; length <= names.length; length++) {
    const part = names.slice(0, length).join('/');
    const found = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isDirectory() || length === names.length) return part;
  }
  return null;
}

const CHECKED_AT_ONCE = 500;

/**
 * Removes a linked worktree and its branch. Everything in it that git does not ignore, committed or not, stays under a
 * ref of its own.
 *
 * @param name     For the ref.
 * @param inUse    Directories in which sessions run.
 */
export async function discardIn(
  directory: string,
  name: string,
  inUse: readonly string[],
  now: Date,
): Promise<OutputOf<'session.discard'>> {
  const tree = await openWorktree(directory);
  const { root, branch, git } = linked(tree);
  const here = real(root);
  const user = inUse.find((one) => real(one) === here || real(one).startsWith(here + sep));
  if (user !== undefined) {
    throw new OrchdError('ORCHD_SESSION_ALIVE', `a session runs in ${user}: discarding removes that directory`);
  }
  await refuseNested(tree);
  const commit = await snapshot(tree, `Discarded by orchd: ${branch}`);
  const ref = `refs/orchd/discarded/${name}-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  await git('update-ref', ref, commit, '');
  const main = await openGit(tree.repository, { timeoutMs: WRITE_TIMEOUT_MS });
  try {
    await main('worktree', 'remove', '--force', root);
    await main('branch', '--quiet', '-D', '--', branch);
  } catch (error) {
    // Git may have removed some of the files before it failed.
    throw refuse(`${errorMessage(error)}; the content is kept as ${ref}`);
  }
  return { ref, commit, branch, root, repository: tree.repository };
}

/**
 * The content of another repository inside a worktree (a submodule, or a clone) cannot be kept under a ref of this one.
 * @throws {OrchdError} ORCHD_WORKTREE
 */
async function refuseNested({ git, root }: Worktree): Promise<void> {
  const tracked = (await git('ls-files', '-z', '--stage')).split('\0').flatMap((line) => {
    const [, path] = /^160000 [^\t]*\t([\s\S]+)$/.exec(line) ?? [];
    return path ?? [];
  });
  const untracked = (await git('ls-files', '-z', '--others', '--exclude-standard')).split('\0');
  const nested = [...tracked, ...untracked.filter((path) => path.endsWith('/'))];
  const found = nested.find((path) => existsSync(join(root, path, '.git')));
  if (found === undefined) return;
  throw refuse(`${join(root, found)} is a repository of its own, which would be lost: move it away first`);
}

/** Commits everything in a worktree, without touching its branch or its index. */
async function snapshot({ git, gitDir, root }: Worktree, message: string): Promise<string> {
  const head = (await git('rev-parse', '--verify', 'HEAD')).trim();
  const folder = mkdtempSync(join(tmpdir(), 'orchd-git-'));
  try {
    const index = join(folder, 'index');
    if (existsSync(join(gitDir, 'index'))) copyIndex(join(gitDir, 'index'), index);
    const own = await openGit(root, { timeoutMs: WRITE_TIMEOUT_MS, env: { GIT_INDEX_FILE: index, ...AUTHOR } });
    await own('add', '--all', '--', '.');
    const files = (await own('write-tree')).trim();
    if (files === (await own('rev-parse', `${head}^{tree}`)).trim()) return head;
    return (await own('commit-tree', '-p', head, '-m', message, files)).trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A snapshot needs no configured name. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'orchd',
  GIT_AUTHOR_EMAIL: 'orchd@localhost',
  GIT_COMMITTER_NAME: 'orchd',
  GIT_COMMITTER_EMAIL: 'orchd@localhost',
};

/** @throws {OrchdError} ORCHD_WORKTREE for a main worktree, and without a branch. */
function linked(tree: Worktree): Worktree & { readonly branch: string } {
  const { isLinked, branch, root } = tree;
  if (!isLinked) throw refuse(`${root} is the main worktree of its repository, not one of the session's own`);
  if (branch === null) throw refuse(`${root} has no branch checked out`);
  return { ...tree, branch };
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Reads what a session has changed in its repository: against the commit where its branch left the main worktree, or,
 * in the main worktree, against the last commit. New files are part of it.
 *
 * The repository is only read. New files are noted in a copy of the index, which is removed afterwards.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { OutputOf } from '../../protocol/index.js';
import { type Git, openGit, PLAIN_DIFF } from './run-git.js';

type Changes = OutputOf<'session.changes'>;

/** The patch is cut at a line end before this length. */
const MAX_PATCH_CHARS = 2 * 1024 * 1024;
const MAX_FILES = 2_000;

/** @throws {OrchdError} ORCHD_WORKTREE if the directory is in no repository, or git fails. */
export async function changesIn(directory: string, withPatch: boolean): Promise<Changes> {
  const reader = await openGit(directory);
  const where = await reader('rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir');
  const [root = '', own = '', common = ''] = where.trimEnd().split('\n');
  const isWorktree = own !== common;
  const branch = (await reader('branch', '--show-current')).trim() || null;
  const head = await commitOf(reader, 'HEAD');
  const base = head === null ? null : isWorktree ? await forkPoint(reader, common) : head;
  const commits = base === null || head === null ? 0 : Number(await reader('rev-list', '--count', `${base}..${head}`));
  const folder = mkdtempSync(join(tmpdir(), 'orchd-git-'));
  try {
    const index = join(folder, 'index');
    if (existsSync(join(own, 'index'))) copyIndex(join(own, 'index'), index);
    const git = await openGit(root, { env: { GIT_INDEX_FILE: index } });
    await git('add', '--intent-to-add', '--all', '--', '.');
    const against = base ?? (await emptyTree(git));
    const files = filesOf(await git('diff', ...PLAIN_DIFF, '--numstat', '-z', '--no-renames', against, '--'));
    const patch = withPatch ? await git('diff', ...PLAIN_DIFF, against, '--') : null;
    const sum = (field: 'added' | 'removed'): number => files.reduce((total, file) => total + (file[field] ?? 0), 0);
    return {
      root,
      branch,
      is_worktree: isWorktree,
      base,
      commits,
      repository: basename(common) === '.git' ? dirname(common) : common,
      files: files.slice(0, MAX_FILES),
      file_count: files.length,
      added: sum('added'),
      removed: sum('removed'),
      ...(patch !== null && cutPatch(patch)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Git compares the content of a file only if the file is not older than the index. A copy with a later time would hide
 * a change of the same length in the second in which the index was written (git's documentation: racy-git).
 */
export function copyIndex(from: string, to: string): void {
  const { atime, mtimeMs } = statSync(from);
  copyFileSync(from, to);
  utimesSync(to, atime, Math.floor(mtimeMs / 1000));
}

const commitOf = async (git: Git, name: string): Promise<string | null> =>
  (await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => '')).trim() || null;

/** The tree without files, for a repository without commits. */
export const emptyTree = async (git: Git): Promise<string> =>
  (await git('hash-object', '-t', 'tree', '/dev/null')).trim();

/** Returns the last common commit with what the main worktree has checked out; HEAD if there is none. */
async function forkPoint(git: Git, common: string): Promise<string | null> {
  const main = (await git(`--git-dir=${common}`, 'rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '')).trim();
  const found = main === '' ? '' : await git('merge-base', main, 'HEAD').catch(() => '');
  return found.trim() || commitOf(git, 'HEAD');
}

/** Reads `ADDED TAB REMOVED TAB PATH NUL`; a binary file has `-` for both numbers. */
function filesOf(numstat: string): Changes['files'] {
  return numstat.split('\0').flatMap((line) => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(line) ?? [];
    if (path === undefined) return [];
    const count = (text: string | undefined): number | null => (text === '-' ? null : Number(text));
    return [{ path, added: count(added), removed: count(removed) }];
  });
}

function cutPatch(patch: string): { readonly patch: string; readonly truncated?: true } {
  if (patch.length <= MAX_PATCH_CHARS) return { patch };
  return { patch: patch.slice(0, patch.lastIndexOf('\n', MAX_PATCH_CHARS) + 1), truncated: true };
}

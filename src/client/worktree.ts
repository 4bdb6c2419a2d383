/**
 * Creates a git worktree for a session: a new branch, checked out beside the repository.
 *
 * In:   a directory in a repository, and the name of a branch that does not exist yet.
 * Out:  the directory for the session: the same folder in `<repository>-<branch>`, next to the repository. `undo`
 *       removes the worktree and the branch if the session could not be started. Nothing that existed before is ever
 *       removed.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OrchdError } from '../protocol/index.js';
import type { Client } from './client.js';

interface Worktree {
  readonly branch: string;
  /** The root of the worktree. */
  readonly path: string;
  /** The directory for the session: the same path below the root as the given directory has in its repository. */
  readonly directory: string;
  undo(): Promise<void>;
}

const run = promisify(execFile);

/** @throws {OrchdError} ORCHD_WORKTREE, with git's message if there is one. */
export async function addWorktree(directory: string, branch: string): Promise<Worktree> {
  if (!existsSync(directory)) throw refused(`there is no directory ${directory}`);
  const [root = '', common = '', prefix = ''] = (
    await git(directory, [
      'rev-parse',
      '--path-format=absolute',
      '--show-toplevel',
      '--git-common-dir',
      '--show-prefix',
    ])
  ).split('\n');
  await git(directory, ['check-ref-format', '--branch', branch]).catch(() => {
    throw refused(`'${branch}' cannot be the name of a branch`);
  });
  const isThere = await git(directory, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]).catch(() => '');
  if (isThere !== '') throw refused(`there is a branch '${branch}' already; choose another name`);
  // A worktree of a worktree is also placed beside the main repository.
  const main = basename(common) === '.git' ? dirname(common) : root;
  const path = join(dirname(main), `${basename(main)}-${branch.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}`);
  if (existsSync(path)) throw refused(`${path} exists already; choose another branch, or remove it`);
  await git(directory, ['worktree', 'add', '--quiet', '-b', branch, path]);
  const undo = async (): Promise<void> => {
    await git(main, ['worktree', 'remove', '--force', path]);
    await git(main, ['branch', '--quiet', '-D', branch]);
  };
  const inside = resolve(path, prefix);
  return { branch, path, directory: existsSync(inside) ? inside : path, undo };
}

/**
 * Returns the name for a session in a worktree: that of its branch, in the characters that a session's name may have.
 * Null if no such name is left or another session has it; the session then gets the name of its program.
 */
export async function sessionNameOf(client: Client, branch: string): Promise<string | null> {
  const name = inLatin(branch)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_NAME_CHARS);
  const sessions = await client.call('session.list', {});
  const isTaken = sessions.some((session) => session.name === name);
  return name === '' || /^(?:ses|itm|run|tsk|wfl)_/.test(name) || isTaken ? null : name;
}

/** Latin letters that have no plain letter as a part. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  þ: 'th',
  ı: 'i',
};

/** Writes accented Latin letters without their accents: `größe` → `grosse`. */
const inLatin = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\x00-\x7f]/g, (letter) => PLAIN[letter] ?? letter);

const MAX_NAME_CHARS = 64;

/**
 * Returns the linked worktree (`git worktree add`) that contains a directory. Null for a repository's main worktree,
 * for any other directory, and without git. Reads only; the repository's configuration starts no program.
 */
export async function linkedWorktree(
  directory: string,
): Promise<{ readonly path: string; readonly branch: string; readonly repository: string } | null> {
  if (!existsSync(directory)) return null;
  try {
    const asked = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
    const [path = '', own, common = ''] = (await git(directory, asked)).split('\n');
    if (own === common) return null;
    const branch = await git(directory, ['branch', '--show-current']);
    return { path, branch, repository: basename(common) === '.git' ? dirname(common) : common };
  } catch {
    return null;
  }
}

const refused = (words: string): OrchdError => new OrchdError('ORCHD_WORKTREE', words);

async function git(cwd: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('git', [...args], { cwd });
    return stdout.trimEnd();
  } catch (error) {
    // the type of execFile's rejections
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === 'ENOENT') throw refused('git is not installed, or not on your PATH');
    const said = (stderr ?? '').trim().split('\n').at(-1) ?? '';
    throw refused(/not a git repository/.test(said) ? `${cwd} is in no git repository` : said || String(error));
  }
}

/**
 * The project of a directory: the repository that contains it. A linked worktree belongs to the project of its main
 * worktree.
 *
 * In:   a directory. Only `.git` is read, and git is not started.
 * Out:  the root of the main worktree, or the path of a bare repository; null outside git.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A `.git` file is a line with a path. */
const MAX_GIT_FILE_BYTES = 8_192;

/** The closest `.git` in a directory or above it. */
interface GitPlace {
  /** The directory that contains `.git`. */
  readonly root: string;
  /** The folder of git that a `.git` file names; null if `.git` is that folder. */
  readonly gitDir: string | null;
}

export function repositoryOf(directory: string): string | null {
  const place = gitPlace(directory);
  if (place === null) return null;
  if (place.gitDir === null) return place.root;
  const common = COMMON_OF_WORKTREE.exec(place.gitDir)?.[1];
  // A submodule has a `.git` file, too, and is a project of its own.
  if (common === undefined) return place.root;
  return common.endsWith('/.git') ? dirname(common) : common;
}

/** True in a worktree that `git worktree add` has made. */
export const isInLinkedWorktree = (directory: string): boolean =>
  COMMON_OF_WORKTREE.test(gitPlace(directory)?.gitDir ?? '');

/** Matches the folder that git keeps for a linked worktree, inside the folder that all worktrees share. */
const COMMON_OF_WORKTREE = /^(\/.+)\/worktrees\/[^/]+$/;

function gitPlace(directory: string): GitPlace | null {
  try {
    for (let root = directory; ; root = dirname(root)) {
      const path = join(root, '.git');
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory()) return { root, gitDir: null };
      if (stat?.isFile() && stat.size <= MAX_GIT_FILE_BYTES) {
        const named = /^gitdir: (.+)/.exec(readFileSync(path, 'utf8'))?.[1];
        return named === undefined ? null : { root, gitDir: resolve(root, named) };
      }
      if (stat || root === dirname(root)) return null;
    }
  } catch {
    return null; // The directory or the file cannot be read.
  }
}

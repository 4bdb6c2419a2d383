/** Facts about this machine that adapters need at a start (`Machine`). Reads only. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Machine } from './adapters/index.js';

/** Maximum size of a settings file. A longer file is ignored. */
const MAX_BYTES = 16 * 1024 * 1024;
const OTHERS_WRITE = 0o022;

export const MACHINE: Machine = { text, isRootsAlone };

function text(path: string): string | null {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}

/** True if only root can write to the folder, and orchd runs as root, so that new files in it are root's as well. */
function isRootsAlone(folder: string): boolean {
  if (process.getuid?.() !== 0) return false;
  const path = resolve(folder);
  return isChainRoots(path) && isChainRoots(realOf(path));
}

/** True if root owns the path and all its parents. */
function isChainRoots(path: string): boolean {
  const up = dirname(path);
  return isOneRoots(path) && (up === path || isChainRoots(up));
}

function isOneRoots(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return lstatSync(path, { throwIfNoEntry: false }) === undefined;
    return stat.isDirectory() && stat.uid === 0 && (stat.mode & OTHERS_WRITE) === 0 && lstatSync(path).uid === 0;
  } catch {
    return false;
  }
}

/** Returns the real path. For a folder that does not exist: the path that it would have. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const up = dirname(path);
    return up === path ? path : resolve(realOf(up), path.slice(up.length).replace(/^\/+/, ''));
  }
}

/** What of this machine adapters ask to see at a start (`Machine`); reads, and writes nothing. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Machine } from './adapters/index.js';

/** Longer ones are no person's settings. */
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

/** What is to be made in it would be root's as well only where this is root. */
function isRootsAlone(folder: string): boolean {
  if (process.getuid?.() !== 0) return false;
  const path = resolve(folder);
  return isChainRoots(path) && isChainRoots(realOf(path));
}

/** What is not there yet says nothing of itself: who makes it says it. */
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

/** Of a folder that is not there: where it would be. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const up = dirname(path);
    return up === path ? path : resolve(realOf(up), path.slice(up.length).replace(/^\/+/, ''));
  }
}

/**
 * Makes a directory and its missing parents, one after the other.
 *
 * It does not use `mkdirSync` with `recursive`, because that of Node 20 never returns if the kernel reports ENOENT for
 * a directory whose parent exists, as in /proc.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorMessage, OrchdError, systemCode } from '../../protocol/errors.js';
import { PLACE_ADVICE } from '../../protocol/paths.js';

/** @throws {OrchdError} ORCHD_FILE. The message names the path, the obstacle and the remedy. */
export function makeDirectory(path: string, mode = 0o700): void {
  const missing: string[] = [];
  try {
    for (let dir = resolve(path); !directoryExists(dir); dir = dirname(dir)) missing.unshift(dir);
    for (const dir of missing) make(dir, mode);
  } catch (error) {
    const why = errorMessage(error);
    throw new OrchdError(
      'ORCHD_FILE',
      `the directory ${path} cannot be made: ${why}; ${PLACE_ADVICE}`,
      { path },
      error,
    );
  }
}

/** False if the path does not exist, or if that is unknown because a parent directory is missing or unreadable. */
function directoryExists(path: string): boolean {
  try {
    if (statSync(path).isDirectory()) return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
  throw new Error(`${path} is not a directory`);
}

function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && directoryExists(path)) return; // another process was faster
    throw systemCode(error) === 'ENOENT' ? new Error(`nothing can be made in ${dirname(path)}`) : error;
  }
}

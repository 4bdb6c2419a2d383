/** Tests for the kind of a file. They return false if it does not exist or its metadata cannot be read. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs';

/** True for a directory, also through a symbolic link. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Identifies a directory: another one at the same path has another id. Null if there is none. */
export function directoryId(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : null;
}

/** True for a file that this user may execute. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** True also for a link that leads nowhere, or to itself. Reading it tells what is wrong. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

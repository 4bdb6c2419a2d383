/** Tests for the kind of a file. Both return false if it does not exist or its metadata cannot be read. */
import { accessSync, constants, statSync } from 'node:fs';

/** True for a directory, also through a symbolic link. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
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

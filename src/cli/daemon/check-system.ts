/** Checks for `orchd doctor`: folders that cannot be written, and system limits that are too low for a daemon. */

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { limitOf } from '../../host/index.js';
import { errorMessage } from '../../protocol/errors.js';

/** With less address space, V8 cannot start the daemon, or dies under load. */
const MIN_ADDRESS_SPACE = 8e9;
/** A session needs three open files of the host, and each client one of the daemon. */
const MIN_OPEN_FILES = 256;

/** Returns why a folder cannot be written, or cannot be made; null if it can. */
export function writeProblem(folder: string): string | null {
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const why = errorMessage(error);
    return `${existing === folder ? `${folder} cannot be written` : `${folder} cannot be made`}: ${why}`;
  }
}

/** Returns a warning for each limit of a process that is too low; [] where the system does not tell limits. */
export function limitWarnings(pid: number | 'self'): string[] {
  let limits: string;
  try {
    limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  } catch {
    return [];
  }
  const [bytes, files] = [limitOf(limits, 'Max address space'), limitOf(limits, 'Max open files')];
  return [
    ...(bytes < MIN_ADDRESS_SPACE ? [`${Math.round(bytes / 1e6)} MB of address space: \`ulimit -v unlimited\``] : []),
    ...(files < MIN_OPEN_FILES ? [`${files} open files: \`ulimit -n 1024\``] : []),
  ];
}

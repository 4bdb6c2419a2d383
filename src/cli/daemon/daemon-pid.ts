/**
 * Returns the pid of a daemon that does not answer. The pid is read from the daemon's file and checked against the
 * process.
 */
import { readFileSync } from 'node:fs';
import { readRegularFile } from '../../host/index.js';
import type { Paths } from '../../protocol/index.js';

/** The file contains only a number. */
const MAX_PID_BYTES = 64;

export function daemonPid(paths: Paths): number | null {
  try {
    const pid = Number(readRegularFile(paths.pidFile, MAX_PID_BYTES));
    process.kill(pid, 0);
    return isOurs(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Returns the arguments of a daemon's process; [] on systems without /proc. */
export function daemonArguments(pid: number): readonly string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.slice(words.findIndex((word) => word.endsWith('daemon.js')) + 1);
  } catch {
    return [];
  }
}

/** Checks in /proc that the pid was not reused by another program. Without /proc the file is trusted. */
function isOurs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('daemon.js');
  } catch {
    return process.platform !== 'linux';
  }
}

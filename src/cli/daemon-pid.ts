/** The pid of a daemon that does not answer, from the file it keeps, if that process is still it; and its arguments. */
import { readFileSync } from 'node:fs';
import type { Paths } from '../protocol/index.js';

export function daemonPid(paths: Paths): number | null {
  try {
    const pid = Number(readFileSync(paths.pidFile, 'utf8'));
    process.kill(pid, 0);
    return isOurs(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** What the daemon of that pid was started with; nothing where there is no /proc. */
export function daemonArguments(pid: number): readonly string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.slice(words.findIndex((word) => word.endsWith('daemon.js')) + 1);
  } catch {
    return [];
  }
}

/** A pid may have been given to another program since; /proc tells. Without it, the file is believed. */
function isOurs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('daemon.js');
  } catch {
    return process.platform !== 'linux';
  }
}

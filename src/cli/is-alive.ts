/**
 * Whether a process still runs. One that has ended is dead, also while nobody has collected it: in a container whose
 * first process collects nobody, or seldom, that may be for ever. Where there is no /proc, who can be signalled is
 * alive.
 */
import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // `PID (NAME) STATE …`: a name may hold anything.
    return !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return process.platform !== 'linux';
  }
}

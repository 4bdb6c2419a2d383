/**
 * Checks if a process is running. A zombie counts as dead: in a container whose init process does not collect zombies,
 * it may exist forever. Without /proc, a process that can be signalled counts as alive.
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
    // The file contains `PID (NAME) STATE …`, and the name may contain any character.
    return !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return process.platform !== 'linux';
  }
}

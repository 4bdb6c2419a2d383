/** Programs in terminals that may not have begun: until then they are copies of this process, and hold everything that it holds. */
import { readFileSync } from 'node:fs';

const unborn = new Set<number>();
/** After its first sign of life a program still has to let go of what it inherited; on a loaded machine that takes a while. */
const BIRTH_MS = 200;
let lastUnborn = Number.NEGATIVE_INFINITY;

/** A copy of this process was made, which is to become a program. */
export function addUnborn(pid: number): void {
  unborn.add(pid);
  hasUnborn(); // takes the time, and forgets those that have begun
}

/** @returns Whether such copies may hold what this process does. */
export function hasUnborn(): boolean {
  for (const pid of unborn) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`).equals(readFileSync('/proc/self/cmdline'))) continue;
      unborn.delete(pid);
      lastUnborn = performance.now(); // it may have begun this very moment
    } catch {
      unborn.delete(pid); // gone, or no /proc: macOS starts programs without copies
    }
  }
  if (unborn.size > 0) lastUnborn = performance.now();
  return performance.now() - lastUnborn < BIRTH_MS;
}

/**
 * Processes for terminals that may not have executed their program yet. Until then they are copies of this process and
 * hold all its descriptors.
 */
import { readFileSync } from 'node:fs';

const starting = new Set<number>();
/**
 * Time that a program gets, after its first sign of life, to close inherited descriptors. On a loaded machine that
 * takes a while.
 */
const START_MS = 200;
let lastStartingAt = Number.NEGATIVE_INFINITY;

/** Adds a forked copy of this process that has not executed its program yet. */
export function addStartingProcess(pid: number): void {
  starting.add(pid);
  hasStartingProcess(); // notes the time, and removes processes that run their programs by now
}

/** @returns True if a forked copy of this process may hold its descriptors. */
export function hasStartingProcess(now = performance.now()): boolean {
  for (const pid of starting) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`).equals(readFileSync('/proc/self/cmdline'))) continue;
      starting.delete(pid);
      lastStartingAt = now; // it may have begun this very moment
    } catch {
      starting.delete(pid); // The process is gone, or there is no /proc (macOS does not fork the host).
    }
  }
  if (starting.size > 0) lastStartingAt = now;
  return now - lastStartingAt < START_MS;
}

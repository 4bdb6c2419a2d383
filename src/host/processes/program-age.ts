/**
 * Checks if a pid is still the program of a journal. The pid alone may belong to another process by now, which must
 * never be ended.
 *
 * In:   a pid, and the start time of its program.
 * Out:  true if the process that has the pid now started at that time.
 *
 * The start time comes from /proc, or else from `ps`, which only has seconds. If the clock was set in between, the
 * result is false, and the process lives on.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { EarlierProgram } from '../contract.js';
import { hasProc } from './processes.js';

/** Maximum difference between the start of a program and its record. `ps` shows whole seconds only. */
const SLACK_MS = 2000;
/** Clock ticks per second in /proc, on every Linux. */
const TICKS_PER_SECOND = 100;
const PS_MS = 5000;

export async function isStillThere({ pid, startedAt }: EarlierProgram): Promise<boolean> {
  const started = hasProc ? startByProc(pid) : await startByPs(pid);
  return started !== null && Math.abs(started - startedAt) <= SLACK_MS;
}

/** @returns Milliseconds since the epoch, by the current clock. Null if the process is gone. */
export function startByProc(pid: number, now = Date.now()): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]); // the name before it may hold anything
    const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
    return now - (uptime - ticks / TICKS_PER_SECOND) * 1000;
  } catch {
    return null;
  }
}

/** @returns As `startByProc`. */
export function startByPs(pid: number): Promise<number | null> {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env, timeout: PS_MS }, (error, stdout) => {
      const started = error ? Number.NaN : Date.parse(`${stdout.trim()} UTC`);
      resolve(Number.isNaN(started) ? null : started);
    });
  });
}

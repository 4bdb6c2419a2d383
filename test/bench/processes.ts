/** Reads memory, CPU time and wake-ups of processes from Linux's /proc, with all their threads. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { TestDaemon } from '../harness/daemon.js';

/** Returns the process ids of the daemon and its host, without the sessions' programs. */
export async function pidsOf({ client }: TestDaemon): Promise<number[]> {
  const { daemon, host } = await client.call('daemon.status', {});
  return [daemon.pid, ...(host ? [host.pid] : [])];
}

/** Proportional set size: memory that several processes share (Node's own file) is divided among them. */
export function pssMb(pids: readonly number[]): number {
  const kib = pids.map((pid) => parseNumber(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'), 'Pss'));
  return (sum(kib) * 1024) / 1e6;
}

/** Memory that only these processes use, without Node's own file, which other Node processes may share. */
export function privateMb(pids: readonly number[]): number {
  const kib = pids.flatMap((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return ['Private_Clean', 'Private_Dirty'].map((name) => parseNumber(text, name));
  });
  return (sum(kib) * 1024) / 1e6;
}

/** Returns the user and system time of the processes since their start, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  return sum(pids.map((pid) => parseTicks(readFileSync(`/proc/${pid}/stat`, 'latin1')))) / TICKS_PER_SECOND;
}

/** User and system time in ticks, from the text of /proc/PID/stat. */
export function parseTicks(stat: string): number {
  // The fields after the name, which may contain blanks and parentheses: the state is field 3, utime 14, stime 15.
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the number after a name in /proc/PID/status or /proc/PID/smaps_rollup; NaN if the name is missing. */
export function parseNumber(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
}

/** Returns how often threads of the processes went to sleep voluntarily: an idle process does so after each wake-up. */
export function wakeUps(pids: readonly number[]): number {
  const files = pids.flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/status`));
  return sum(files.map((file) => parseNumber(readFileSync(file, 'latin1'), 'voluntary_ctxt_switches')));
}

/** True if a process is gone or a zombie. */
export function isDead(pid: number): boolean {
  try {
    return /^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

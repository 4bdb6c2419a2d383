/** Reads memory, CPU time and wake-ups of processes from Linux's /proc, with all their threads. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { TestDaemon } from '../harness/daemon.js';

/** The daemon and its host, without the sessions' programs. */
export async function pidsOf({ client }: TestDaemon): Promise<number[]> {
  const { daemon, host } = await client.call('daemon.status', {});
  return [daemon.pid, ...(host ? [host.pid] : [])];
}

/** Proportional set size: what they share (Node's own file) is counted once, divided among who has it mapped. */
export function pssMb(pids: readonly number[]): number {
  const kib = pids.map((pid) => parseNumber(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'), 'Pss'));
  return (sum(kib) * 1024) / 1e6;
}

/** Memory that is theirs alone: without Node's own file, which other Nodes of this machine share or not. */
export function privateMb(pids: readonly number[]): number {
  const kib = pids.flatMap((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return ['Private_Clean', 'Private_Dirty'].map((name) => parseNumber(text, name));
  });
  return (sum(kib) * 1024) / 1e6;
}

/** User and system time since their start, in s. */
export function cpuSeconds(pids: readonly number[]): number {
  return sum(pids.map((pid) => parseTicks(readFileSync(`/proc/${pid}/stat`, 'latin1')))) / TICKS_PER_SECOND;
}

/** User and system time in ticks, from the text of /proc/PID/stat. */
export function parseTicks(stat: string): number {
  // Behind the name, which may hold blanks and parentheses: the state is field 3, utime 14, stime 15.
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** The number behind a name in /proc/PID/status or /proc/PID/smaps_rollup; NaN if the name is not there. */
export function parseNumber(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
}

/** How often their threads went to sleep by themselves: a process at rest that is woken goes to sleep again. */
export function wakeUps(pids: readonly number[]): number {
  const files = pids.flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/status`));
  return sum(files.map((file) => parseNumber(readFileSync(file, 'latin1'), 'voluntary_ctxt_switches')));
}

/** Gone, or dead and not yet buried. */
export function isDead(pid: number): boolean {
  try {
    return /^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

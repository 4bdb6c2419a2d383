/**
 * Checks that the system lets the host start another program, before it forks.
 *
 * node-pty starts a thread for each program. If the thread cannot be created, its native code ends the whole process,
 * and with it every session. So a start is refused while fewer than SPARE_TASKS processes or threads, or less than
 * SPARE_BYTES of address space, are left. Another program can still take all of them between the check and the fork.
 *
 * Reads /proc and the cgroup of the host. Without them, as on macOS, nothing is refused.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OrchdError } from '../../protocol/errors.js';

/** A start takes a process and a thread. A program that starts processes without end takes more meanwhile. */
const SPARE_TASKS = 16;
/** A thread's stack is 8 MB in most systems, and the host itself needs room to grow. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** The root folder of the system, and the user id of the host. Tests replace them. */
interface System {
  readonly root: string;
  readonly uid: number;
}

/** @throws {OrchdError} ORCHD_SYSTEM_LIMIT that names the limit. */
export function needTaskRoom({ root, uid }: System = { root: '/', uid: process.getuid?.() ?? 0 }): void {
  const read = (path: string): string => {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return '';
    }
  };
  const limits = read('proc/self/limits');
  const tasks = Number(/\/(\d+) /.exec(read('proc/loadavg'))?.[1] ?? 0);
  needBytes(limits, read('proc/self/status'));
  needTasks(tasks, numberIn(read('proc/sys/kernel/threads-max')), 'kernel.threads-max');
  needTasks(tasks, numberIn(read('proc/sys/kernel/pid_max')), 'kernel.pid_max');
  for (const folder of pidsCgroups(read('proc/self/cgroup')))
    needTasks(numberIn(read(`${folder}/pids.current`)), numberIn(read(`${folder}/pids.max`)), `/${folder}/pids.max`);
  const most = limitOf(limits, 'Max processes');
  // The kernel does not limit root. Counting takes long, so it is only done if all users together come near the limit.
  if (uid !== 0 && tasks + SPARE_TASKS > most) needTasks(tasksOf(uid, root, read), most, 'ulimit -u');
}

function needBytes(limits: string, status: string): void {
  const most = limitOf(limits, 'Max address space');
  const used = Number(/^VmSize:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  if (used + SPARE_BYTES <= most) return;
  refuse(`the host uses ${megabytes(used)} of ${megabytes(most)} of address space (\`ulimit -v\`)`);
}

function needTasks(used: number, most: number, limit: string): void {
  if (used + SPARE_TASKS <= most) return;
  refuse(`${used} of at most ${most} processes and threads exist (${limit}), and orchd leaves ${SPARE_TASKS} free`);
}

function refuse(why: string): never {
  throw new OrchdError('ORCHD_SYSTEM_LIMIT', `the system has no room for another program: ${why}`);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Returns Infinity for a limit that is not there, or is `max`. */
const numberIn = (text: string): number => (/^\d+\s*$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY);

/** Returns the soft limit of this name in /proc/PID/limits; Infinity if there is none. */
export const limitOf = (limits: string, name: string): number =>
  Number(new RegExp(`^${name} +(\\d+) `, 'm').exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);

/** Returns the folders of the process's cgroups, and of all above, in which its number of processes may be limited. */
function pidsCgroups(cgroups: string): string[] {
  const [, path] = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(cgroups) ?? /^0::(.*)$/m.exec(cgroups) ?? [];
  if (path === undefined) return [];
  const base = /^0::/m.test(cgroups) && !/pids/.test(cgroups) ? 'sys/fs/cgroup' : 'sys/fs/cgroup/pids';
  const folders: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    folders.push(at === '/' ? base : join(base, at));
    if (at === '/' || at === '.') return folders;
  }
}

/** Returns the number of threads of all processes of a user. */
function tasksOf(uid: number, root: string, read: (path: string) => string): number {
  let tasks = 0;
  for (const pid of readdirSync(join(root, 'proc'))) {
    if (!/^\d+$/.test(pid)) continue;
    const status = read(`proc/${pid}/status`);
    if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) === uid)
      tasks += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1);
  }
  return tasks;
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { needTaskRoom } from './task-room.js';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const USER = 1000;
const limits = (processes: string, bytes = 'unlimited'): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    `Max processes             ${processes.padEnd(21)}${processes.padEnd(21)}processes `,
    `Max address space         ${bytes.padEnd(21)}${bytes.padEnd(21)}bytes     `,
  ].join('\n');

/** Makes a system of 300 tasks without limits, except for these files. */
function system(files: Readonly<Record<string, string>>): { root: string; uid: number } {
  const root = mkdtempSync(join(tmpdir(), 'orchd-room-'));
  roots.push(root);
  const usual = {
    'proc/loadavg': '0.10 0.20 0.30 2/300 4711\n',
    'proc/self/limits': limits('unlimited'),
    'proc/self/status': 'VmSize:\t 1000000 kB\nThreads:\t20\n',
  };
  for (const [path, text] of Object.entries({ ...usual, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, uid: USER };
}

test.each<[string, Record<string, string>]>([
  ['no files, as on macOS', { 'proc/loadavg': '', 'proc/self/limits': '', 'proc/self/status': '' }],
  ['no limits', { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/pids.max': 'max\n' }],
  ['room in the cgroup', cgroup('0::/a/b\n', 'sys/fs/cgroup/a/b', 84, 100)],
  [
    'a limit of processes that other users do not count for',
    { 'proc/self/limits': limits('310'), ...process(1, 0, 200) },
  ],
])('allows a start with %s', (_name, files) => {
  expect(() => needTaskRoom(system(files))).not.toThrow();
});

test.each<[string, Record<string, string>, string]>([
  ['in its cgroup', cgroup('0::/a/b\n', 'sys/fs/cgroup/a/b', 85, 100), '85 of at most 100 processes and threads'],
  ['in a cgroup above', cgroup('0::/a/b\n', 'sys/fs/cgroup/a', 99, 100), 'sys/fs/cgroup/a/pids.max'],
  ['in a container', cgroup('0::/\n', 'sys/fs/cgroup', 100, 100), 'sys/fs/cgroup/pids.max'],
  ['in a cgroup of version 1', cgroup('8:pids:/x\n0::/\n', 'sys/fs/cgroup/pids/x', 60, 64), 'cgroup/pids/x/pids.max'],
  [
    'for the user',
    { 'proc/self/limits': limits('310'), ...process(1, USER, 200), ...process(2, USER, 95) },
    'ulimit -u',
  ],
  ['in the kernel', { 'proc/sys/kernel/threads-max': '305\n' }, 'kernel.threads-max'],
  ['of ids', { 'proc/sys/kernel/pid_max': '305\n' }, 'kernel.pid_max'],
  ['of address space', { 'proc/self/limits': limits('unlimited', '1050000000') }, '1024 MB of 1050 MB'],
])('refuses a start at the limit %s', (_name, files, words) => {
  expect(() => needTaskRoom(system(files))).toThrow(words);
});

function cgroup(own: string, folder: string, current: number, most: number): Record<string, string> {
  return { 'proc/self/cgroup': own, [`${folder}/pids.current`]: `${current}\n`, [`${folder}/pids.max`]: `${most}\n` };
}

function process(pid: number, uid: number, threads: number): Record<string, string> {
  return { [`proc/${pid}/status`]: `Name:\tx\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nThreads:\t${threads}\n` };
}

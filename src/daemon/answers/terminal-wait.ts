/**
 * Tells if a process is blocked until its terminal has input (Linux).
 *
 * In:   the number of the system call and its arguments, from /proc/PID/syscall, and the process's memory.
 * Out:  true for `read` of a terminal, and for `select` or `poll` of terminals alone, without a time limit. A program
 *       that also waits for a socket, or only for a time, may go on by itself.
 *
 * @see man 5 proc_pid_syscall; man 2 select, poll
 */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';

type Call = 'read' | 'select' | 'poll' | 'ppoll';

/** The calls by their numbers, for each processor architecture. `pselect6` has the arguments of `select`. */
const GENERIC: Readonly<Record<string, Call>> = { 63: 'read', 72: 'select', 73: 'ppoll' };
const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  x64: { 0: 'read', 7: 'poll', 23: 'select', 270: 'select', 271: 'ppoll' },
  arm64: GENERIC,
  riscv64: GENERIC,
  ppc64: { 3: 'read' },
  s390x: { 3: 'read' },
};
/** The numbers of nanosleep, clock_nanosleep, wait4 and waitid. */
const ASLEEP: Readonly<Record<string, ReadonlySet<string>>> = {
  x64: new Set(['35', '230', '61', '247']),
  arm64: new Set(['101', '115', '260', '95']),
};
const TERMINAL = /^\/dev\/(?:pts\/|tty|console)/;
/** Most descriptors that are looked at. A program that waits for more is a server. */
const MAX_DESCRIPTORS = 1024;
/** Bytes of `struct pollfd`: a descriptor (32 bits), the events asked for (16), and those that came (16). */
const POLLFD_BYTES = 8;
const POLLIN = 1;

/**
 * True if no thread of the process can be waiting for input, because each of them waits for a time or for another
 * process. False if one runs, because it may be about to read, or if the system does not tell.
 */
export function sleeps(pid: number): boolean {
  const asleep = ASLEEP[process.arch];
  if (asleep === undefined) return false;
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const [number = ''] = readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1').trim().split(' ');
      return asleep.has(number);
    });
  } catch {
    return false; // The process has ended, or the kernel does not report it.
  }
}

export function waitsForTerminal(pid: number): boolean {
  try {
    const [number = '', ...rest] = readFileSync(`/proc/${pid}/syscall`, 'latin1').trim().split(' ');
    const call = CALLS[process.arch]?.[number];
    const args = rest.map(Number);
    if (call === undefined) return false;
    const descriptors = call === 'read' ? args.slice(0, 1) : waitedFor(call, pid, args);
    return descriptors.length > 0 && descriptors.every((one) => TERMINAL.test(readlinkSync(`/proc/${pid}/fd/${one}`)));
  } catch {
    return false; // The process has ended, or the kernel does not report it.
  }
}

/** Returns the descriptors whose input the process waits for; none if it waits for anything else, too. */
function waitedFor(call: 'select' | 'poll' | 'ppoll', pid: number, args: readonly number[]): number[] {
  if (call === 'select') {
    const [count = 0, input = 0, output = 0, errors = 0, limit = 0] = args;
    if (limit !== 0 || count > MAX_DESCRIPTORS) return [];
    const setAt = (address: number): number[] =>
      address === 0 ? [] : setBits(memoryOf(pid, address, count / 8), count);
    return [...setAt(output), ...setAt(errors)].length > 0 ? [] : setAt(input);
  }
  const [address = 0, count = 0, limit = 0] = args;
  // `poll` takes milliseconds, of which every negative number is no limit; `ppoll` takes the address of a time.
  const isEndless = call === 'poll' ? (limit | 0) < 0 : limit === 0;
  if (!isEndless || count === 0 || count > MAX_DESCRIPTORS) return [];
  const bytes = memoryOf(pid, address, count * POLLFD_BYTES);
  const entries = Array.from({ length: count }, (_, at) => ({
    descriptor: bytes.readInt32LE(at * POLLFD_BYTES),
    events: bytes.readInt16LE(at * POLLFD_BYTES + 4),
  })).filter(({ descriptor }) => descriptor >= 0); // poll ignores the others
  return entries.every(({ events }) => (events & POLLIN) !== 0) ? entries.map(({ descriptor }) => descriptor) : [];
}

function setBits(bytes: Buffer, count: number): number[] {
  return Array.from({ length: count }, (_, bit) => bit).filter((bit) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
}

/** Throws if the memory cannot be read. */
function memoryOf(pid: number, address: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(length));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    readSync(memory, bytes, 0, bytes.length, address);
    return bytes;
  } finally {
    closeSync(memory);
  }
}

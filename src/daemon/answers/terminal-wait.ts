/**
 * Tells if a process is blocked until its terminal has input, for ever or only for a time (Linux).
 *
 * In:   the number of the system call and its arguments, from /proc/PID/syscall, and the process's memory.
 * Out:  `endless` for `read` of a terminal, and for `select` or `poll` of terminals alone, `timed` for these two with a
 *       time limit. A program that also waits for a socket, or only for a time, may go on by itself.
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

export type TerminalWait = 'endless' | 'timed';

export function waitsForTerminal(pid: number): boolean {
  return terminalWait(pid) === 'endless';
}

export function terminalWait(pid: number): TerminalWait | null {
  try {
    const [number = '', ...rest] = readFileSync(`/proc/${pid}/syscall`, 'latin1').trim().split(' ');
    const call = CALLS[process.arch]?.[number];
    const args = rest.map(Number);
    if (call === undefined) return null;
    const { descriptors, isEndless } =
      call === 'read' ? { descriptors: args.slice(0, 1), isEndless: true } : waitedFor(call, pid, args);
    const isTerminal = (one: number): boolean => TERMINAL.test(readlinkSync(`/proc/${pid}/fd/${one}`));
    if (descriptors.length === 0 || !descriptors.every(isTerminal)) return null;
    return isEndless ? 'endless' : 'timed';
  } catch {
    return null; // The process has ended, or the kernel does not report it.
  }
}

interface Waited {
  /** The descriptors whose input the process waits for; none if it waits for anything else, too. */
  readonly descriptors: readonly number[];
  /** False if the wait has a time limit. */
  readonly isEndless: boolean;
}

function waitedFor(call: 'select' | 'poll' | 'ppoll', pid: number, args: readonly number[]): Waited {
  if (call === 'select') {
    const [count = 0, input = 0, output = 0, errors = 0, limit = 0] = args;
    const isEndless = limit === 0;
    if (count > MAX_DESCRIPTORS) return { descriptors: [], isEndless };
    const setAt = (address: number): number[] =>
      address === 0 ? [] : setBits(memoryOf(pid, address, count / 8), count);
    const isElse = [...setAt(output), ...setAt(errors)].length > 0;
    return { descriptors: isElse ? [] : setAt(input), isEndless };
  }
  const [address = 0, count = 0, limit = 0] = args;
  // `poll` takes milliseconds, of which every negative number is no limit; `ppoll` takes the address of a time.
  const isEndless = call === 'poll' ? (limit | 0) < 0 : limit === 0;
  if (count === 0 || count > MAX_DESCRIPTORS) return { descriptors: [], isEndless };
  const bytes = memoryOf(pid, address, count * POLLFD_BYTES);
  const entries = Array.from({ length: count }, (_, at) => ({
    descriptor: bytes.readInt32LE(at * POLLFD_BYTES),
    events: bytes.readInt16LE(at * POLLFD_BYTES + 4),
  })).filter(({ descriptor }) => descriptor >= 0); // poll ignores the others
  const isInput = entries.every(({ events }) => (events & POLLIN) !== 0);
  return { descriptors: isInput ? entries.map(({ descriptor }) => descriptor) : [], isEndless };
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

/**
 * Tells if a process is blocked until its terminal has input, for ever or only for a time (Linux).
 *
 * In:   the system call of each thread and its arguments, from /proc/PID/task, and the process's memory.
 * Out:  `endless` for `read` of a terminal, and for `select` or `poll` of terminals alone, `timed` for these two with a
 *       time limit. A program that also waits for a socket, or only for a time, may go on by itself.
 *
 * `epoll` is `endless` if nothing but the terminal can wake the process: all threads wait without a time limit, for the
 * terminal or for each other, and there is no child. Event loops such as Node's wait so.
 *
 * @see man 5 proc_pid_syscall, proc_pid_fdinfo; man 2 select, poll, epoll_wait, futex
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { childrenOf } from './shells.js';

type Call = 'read' | 'select' | 'poll' | 'ppoll' | 'epoll' | 'epoll2' | 'futex';

/**
 * The calls by their numbers, for each processor architecture. `pselect6` has the arguments of `select`, `epoll_pwait`
 * those of `epoll_wait`. `epoll2` is `epoll_pwait2`.
 */
const GENERIC: Readonly<Record<string, Call>> = {
  63: 'read',
  72: 'select',
  73: 'ppoll',
  22: 'epoll',
  441: 'epoll2',
  98: 'futex',
};
const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  x64: {
    0: 'read',
    7: 'poll',
    23: 'select',
    270: 'select',
    271: 'ppoll',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll2',
    202: 'futex',
  },
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
/** The numbers of other calls that may read a terminal: readv, preadv, io_uring_enter. */
const OTHER_READS: Readonly<Record<string, ReadonlySet<string>>> = {
  x64: new Set(['19', '295', '426']),
  arm64: new Set(['65', '69', '426']),
  riscv64: new Set(['65', '69', '426']),
};
const EVENT_POLL = 'anon_inode:[eventpoll]';
/** O_NONBLOCK. */
const NONBLOCK = 0o4000;
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

/**
 * Tells if the process takes input from a terminal now: a thread waits for a terminal, for ever or for a time, also
 * together with other descriptors. False if every thread runs or waits for something else. Null if the system does not
 * tell, or if the process runs or sleeps and has a terminal open without blocking: it may read at any moment. An event
 * loop (Node) opens it so as well, but reads only what its epoll descriptor reports.
 */
export function takesInput(pid: number): boolean | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => threadTakesInput(pid, thread));
    if (threads.includes(true)) return true;
    return threads.includes(null) || (threads.includes('later') && looksAtTerminal(pid)) ? null : false;
  } catch {
    return existsSync('/proc/self/syscall') && hasEnded(pid) ? false : null;
  }
}

/** True for a process that has ended, also while its parent has not taken note of that. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return true;
  }
}

/** @returns  `later`: it neither reads nor waits for descriptors, so it may read next. */
function threadTakesInput(pid: number, thread: string): boolean | 'later' | null {
  const known = CALLS[process.arch];
  const [number = '', ...rest] = readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1').trim().split(' ');
  if (known === undefined || OTHER_READS[process.arch]?.has(number) !== false) return null;
  if (number === 'running' || ASLEEP[process.arch]?.has(number)) return 'later';
  const call = known[number];
  if (call === undefined || call === 'futex') return false;
  const args = rest.map(Number);
  const isLoop = call === 'epoll' || call === 'epoll2';
  const targets = (isLoop ? polledBy(pid, args[0] ?? 0) : waitedFor(call, pid, args).descriptors).map((one) =>
    targetOf(pid, one),
  );
  if (targets.some((one) => TERMINAL.test(one))) return true;
  return targets.includes(EVENT_POLL) ? null : false;
}

function looksAtTerminal(pid: number): boolean {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => ({ fd, target: targetOf(pid, Number(fd)) }));
  if (open.some(({ target }) => target === EVENT_POLL)) return false;
  return open.some(({ fd, target }) => {
    if (!TERMINAL.test(target)) return false;
    const about = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1');
    return (Number.parseInt(/^flags:\s*(\d+)/m.exec(about)?.[1] ?? '0', 8) & NONBLOCK) !== 0;
  });
}

type TerminalWait = 'endless' | 'timed';

export function waitsForTerminal(pid: number): boolean {
  return terminalWait(pid) === 'endless';
}

export function terminalWait(pid: number): TerminalWait | null {
  try {
    const waits = waitsOf(pid);
    if (waits.includes('endless') || (waits.includes('loop') && isClosedLoop(pid, waits))) return 'endless';
    return waits.length > 0 && waits[0] === 'timed' ? 'timed' : null;
  } catch {
    return null; // The process has ended, or the kernel does not report it.
  }
}

/**
 * True if only input of a terminal can wake the process and its descendants. In each process without children, one
 * thread must wait for a terminal, and the other threads for each other. A process that has children is taken to wait
 * for them.
 */
export function onlyTerminalWakes(pid: number): boolean {
  const children = childrenOf(pid).filter((child) => !hasEnded(child));
  if (children.length > 0) return children.every(onlyTerminalWakes);
  try {
    const waits = waitsOf(pid);
    const isTerminal = waits.includes('endless') || waits.includes('loop');
    return isTerminal && waits.every((wait) => wait !== null && wait !== 'timed');
  } catch {
    return false; // The process has ended, or the kernel does not report it.
  }
}

/** A blocked thread: it waits for the terminal, in an event loop with the terminal, or for another thread. */
type ThreadWait = TerminalWait | 'loop' | 'thread';

interface ThreadCall {
  readonly call: Call;
  readonly args: readonly number[];
}

/**
 * Returns what each thread of a process waits for.
 *
 * @throws {Error} if the process has ended, or the kernel does not report it.
 */
function waitsOf(pid: number): (ThreadWait | null)[] {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => callOf(pid, thread));
  return threads.map((one) => one && waitOf(pid, one));
}

function callOf(pid: number, thread: string): ThreadCall | null {
  const [number = '', ...rest] = readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1').trim().split(' ');
  const call = CALLS[process.arch]?.[number];
  return call === undefined ? null : { call, args: rest.map(Number) };
}

function waitOf(pid: number, { call, args }: ThreadCall): ThreadWait | null {
  if (call === 'futex') return args[3] === 0 ? 'thread' : null;
  if (call === 'epoll' || call === 'epoll2') return loopOf(pid, call, args);
  const { descriptors, isElse, isEndless } = waitedFor(call, pid, args);
  if (isElse || descriptors.length === 0) return null;
  const targets = descriptors.map((one) => targetOf(pid, one));
  if (targets.every((one) => TERMINAL.test(one))) return isEndless ? 'endless' : 'timed';
  return isEndless && targets.every((one) => isOwn(pid, one)) ? 'thread' : null;
}

const isClosedLoop = (pid: number, waits: readonly (ThreadWait | null)[]): boolean =>
  childrenOf(pid).length === 0 && waits.every((wait) => wait === 'loop' || wait === 'thread');

/** Returns null if the loop has a time limit, or can be woken from outside the process by more than the terminal. */
function loopOf(pid: number, call: 'epoll' | 'epoll2', args: readonly number[]): 'loop' | 'thread' | null {
  const [descriptor = 0, , , limit = 0] = args;
  // `epoll_wait` takes milliseconds, of which every negative number is no limit; `epoll_pwait2` takes an address.
  if (call === 'epoll' ? (limit | 0) >= 0 : limit !== 0) return null;
  const targets = polledBy(pid, descriptor).map((one) => targetOf(pid, one));
  const others = targets.filter((target) => !TERMINAL.test(target));
  if (others.length > MAX_DESCRIPTORS || !others.every((target) => isOwn(pid, target))) return null;
  return others.length < targets.length ? 'loop' : 'thread';
}

/** Returns the descriptors of which an epoll descriptor reports events. */
function polledBy(pid: number, descriptor: number): number[] {
  const about = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1');
  return [...about.matchAll(/^tfd:\s*(\d+)/gm)].map(([, one]) => Number(one));
}

/** True for a descriptor that only the process itself writes to: an eventfd, or a pipe of which it has both ends. */
function isOwn(pid: number, target: string): boolean {
  if (target === 'anon_inode:[eventfd]') return true;
  if (!target.startsWith('pipe:')) return false;
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => targetOf(pid, Number(fd)) === target).length > 1;
}

const targetOf = (pid: number, descriptor: number): string => readlinkSync(`/proc/${pid}/fd/${descriptor}`);

interface Waited {
  /** The descriptors whose input the process waits for. */
  readonly descriptors: readonly number[];
  /** True if it waits for anything else, too. */
  readonly isElse: boolean;
  /** False if the wait has a time limit. */
  readonly isEndless: boolean;
}

function waitedFor(call: 'read' | 'select' | 'poll' | 'ppoll', pid: number, args: readonly number[]): Waited {
  if (call === 'read') return { descriptors: args.slice(0, 1), isElse: false, isEndless: true };
  if (call === 'select') {
    const [count = 0, input = 0, output = 0, errors = 0, limit = 0] = args;
    const isEndless = limit === 0;
    if (count > MAX_DESCRIPTORS) return { descriptors: [], isElse: true, isEndless };
    const setAt = (address: number): number[] =>
      address === 0 ? [] : setBits(memoryOf(pid, address, count / 8), count);
    const isElse = [...setAt(output), ...setAt(errors)].length > 0;
    return { descriptors: setAt(input), isElse, isEndless };
  }
  const [address = 0, count = 0, limit = 0] = args;
  // `poll` takes milliseconds, of which every negative number is no limit; `ppoll` takes the address of a time.
  const isEndless = call === 'poll' ? (limit | 0) < 0 : limit === 0;
  if (count === 0 || count > MAX_DESCRIPTORS) return { descriptors: [], isElse: count > 0, isEndless };
  const bytes = memoryOf(pid, address, count * POLLFD_BYTES);
  const entries = Array.from({ length: count }, (_, at) => ({
    descriptor: bytes.readInt32LE(at * POLLFD_BYTES),
    events: bytes.readInt16LE(at * POLLFD_BYTES + 4),
  })).filter(({ descriptor }) => descriptor >= 0); // poll ignores the others
  const inputs = entries.filter(({ events }) => (events & POLLIN) !== 0);
  const isElse = inputs.length < entries.length;
  return { descriptors: inputs.map(({ descriptor }) => descriptor), isElse, isEndless };
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

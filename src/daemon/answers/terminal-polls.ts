/**
 * Terminal polls: tells if a program waits at its prompt by polling its terminal, as a loop around `select` with a
 * timeout does (Linux).
 *
 * In:   looks at the program, POLL_LOOK_MS apart, while it prints nothing.
 * Out:  true once it has only waited over LOOKS looks: it woke up several times, used almost no CPU time, and only a
 *       person can give it input. A program that wakes up less often, such as one in `read -t 600`, must have waited
 *       over MAX_LOOKS looks. False if it did anything else.
 *
 * A program with a second thread, a child, a socket, a pipe or an epoll may work or hear from elsewhere between two
 * waits, so it is never called idle. A program that counts down without a word looks the same as one that waits.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { childrenOf } from './shells.js';
import { terminalWait } from './terminal-wait.js';

/** The kernel's data about a process that waits for its terminal with a timeout. */
export interface Poll {
  readonly pid: number;
  /** CPU time that the process has used, in clock ticks (10 ms). */
  readonly ticks: number;
  /** Number of times that the process has waited, for any reason. */
  readonly waits: number;
}

export const POLL_LOOK_MS = 1_000;
/** Number of consecutive looks at which it waits. */
const LOOKS = 5;
/** Number of looks at a program that wakes up less often. */
const MAX_LOOKS = 30;
/** Number of waits that ended between the first look and the last. */
const MIN_WAITS = 3;
/** Maximum CPU time between two looks: 2 %. */
const MAX_TICKS = 2;
/** O_ACCMODE and O_WRONLY: nothing comes from a descriptor that is open for writing only. */
const ACCESS = 3;
const WRITE_ONLY = 1;

export class TerminalPolls {
  readonly #read: (pid: number) => Poll | null;
  readonly #polls: Poll[] = [];

  constructor(read: (pid: number) => Poll | null = readPoll) {
    this.#read = read;
  }

  /** @returns  Null if another look is needed. */
  look(pid: number): boolean | null {
    const poll = this.#read(pid);
    const first = this.#polls[0] ?? poll;
    if (!poll || !first || first.pid !== poll.pid) return false;
    this.#polls.push(poll);
    const looks = this.#polls.length;
    if (poll.ticks - first.ticks > MAX_TICKS * looks) return false;
    const hasWaited = looks >= MAX_LOOKS || (looks >= LOOKS && poll.waits - first.waits >= MIN_WAITS);
    return hasWaited ? true : null;
  }
}

/** Returns null unless the process waits for its terminal for a time, and for nothing else in between. */
export function readPoll(pid: number): Poll | null {
  if (terminalWait(pid) !== 'timed') return null;
  try {
    if (readdirSync(`/proc/${pid}/task`).length > 1 || childrenOf(pid).length > 0 || hearsElse(pid)) return null;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const waits = Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]);
    return { pid, ticks: Number(fields[11]) + Number(fields[12]), waits }; // utime, stime
  } catch {
    return null; // The process has ended.
  }
}

/** True if the process can read from something else than a terminal or a file, such as a socket or a pipe. */
function hearsElse(pid: number): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    const path = `/proc/${pid}/fd/${fd}`;
    const target = readlinkSync(path);
    const flags = Number.parseInt(
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0',
      8,
    );
    if ((flags & ACCESS) === WRITE_ONLY) return false;
    if (!target.startsWith('/')) return true; // socket:[…], pipe:[…], anon_inode:[…]
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory() && !stat.isCharacterDevice();
  });
}

/**
 * Idle watch: notices when a program that prints lines waits for its terminal, and when it works again.
 *
 * In:   records of living sessions (`onRecord`).
 * Out:  `idle` inputs for the session's aggregate, which become `session_idle_changed` events.
 *
 * A session is checked once its output has rested for LOOK_MS. A program that does not wait then is checked up to
 * MAX_CHECKS more times, each after twice the time: it may start slowly, or work without printing.
 *
 * A shell waits at its prompt if it is itself the foreground process of its terminal. A shell that it started also
 * counts if it has enabled bracketed paste, as line editors do. Without /proc (macOS) bracketed paste alone decides.
 * prompt.ts decides for all other programs, also for those that run in a shell. A program that waits for its terminal
 * with a timeout is checked again, once per POLL_LOOK_MS, until terminal-polls.ts can tell.
 */
import { readFileSync } from 'node:fs';
import type { HostClient, JournalRecord } from '../../host/index.js';
import { GENERIC } from '../../session/adapters/index.js';
import type { SessionEntry } from '../registry/index.js';
import { type Foreground, waitsAtPrompt } from './prompt.js';
import { HAS_PROC, isInteractiveShell, isShellName } from './shells.js';
import { POLL_LOOK_MS, TerminalPolls } from './terminal-polls.js';

interface IdleWatchPorts {
  readonly now: () => number;
  readonly host: () => HostClient;
}

interface Watched {
  timer: NodeJS.Timeout | null;
  /** True if the session had a record since the timer was set. */
  isActive: boolean;
  /** The looks at a program that waits for its terminal with a timeout; null for other programs. */
  polls: TerminalPolls | null;
  /** Number of checks since the last record. */
  checks: number;
  /** True if the last output ended a line: the cursor is then in an empty row, not behind a prompt. */
  endsLine: boolean;
}

/** Time without output before a check. A command that ends faster would change the state only for a moment. */
const LOOK_MS = 500;
/** Maximum number of checks without a new record. The pause before each is twice the last one: 64 s in total. */
const MAX_CHECKS = 7;
/** The checks of all sessions come together, at multiples of this time: each wake-up of the daemon costs CPU time. */
const TOGETHER_MS = 100;
const LINE_FEED = 0x0a;

/** Watches living sessions and reports when a program begins or stops waiting at its terminal. */
export class IdleWatch {
  readonly #ports: IdleWatchPorts;
  readonly #watched = new Map<string, Watched>();

  constructor(ports: IdleWatchPorts) {
    this.#ports = ports;
  }

  onRecord(entry: SessionEntry, record: JournalRecord): void {
    const { kind } = record;
    if (kind !== 'out' && kind !== 'input' && kind !== 'start') return;
    let watched = this.#watched.get(entry.id);
    if (watched) {
      watched.isActive = true;
      watched.polls = null;
      const isLate = watched.checks > 0;
      watched.checks = 0;
      if (isLate && watched.timer) {
        clearTimeout(watched.timer);
        this.#wait(entry, watched);
      }
    } else if (printsLines(entry)) {
      watched = { timer: null, isActive: false, polls: null, checks: 0, endsLine: false };
      this.#wait(entry, watched);
    }
    if (watched && kind === 'out') watched.endsLine = record.bytes.at(-1) === LINE_FEED;
  }

  close(): void {
    for (const { timer } of this.#watched.values()) if (timer) clearTimeout(timer);
    this.#watched.clear();
  }

  #wait(entry: SessionEntry, watched: Watched, lookMs = LOOK_MS): void {
    this.#watched.set(entry.id, watched);
    watched.isActive = false;
    const wake = () => {
      watched.timer = null;
      void this.#look(entry, watched);
    };
    const dueAt = this.#ports.now() + lookMs;
    watched.timer = setTimeout(wake, lookMs + TOGETHER_MS - (dueAt % TOGETHER_MS));
    watched.timer.unref();
  }

  async #look(entry: SessionEntry, watched: Watched): Promise<void> {
    const seen = isShellAtPrompt(entry) || (!watched.isActive && (await this.#waitsAtPrompt(entry, watched)));
    if (this.#watched.get(entry.id) !== watched) return; // The watch was closed meanwhile.
    const { idle = false } = entry.aggregate.session;
    let isIdle = seen === true;
    if (seen === 'polls' && !watched.isActive) {
      watched.polls ??= new TerminalPolls();
      const isPrompt = watched.polls.look(foregroundOf(entry.aggregate.session.pid)?.pid ?? 0);
      if (isPrompt === null) return this.#wait(entry, watched, POLL_LOOK_MS);
      isIdle = isPrompt;
    }
    // If the session printed in the meantime, it is checked again once its output has stopped.
    if (watched.isActive && isIdle && !idle && !isShell(entry)) return this.#wait(entry, watched);
    if (isIdle !== idle && !entry.hasEnded) void entry.apply({ kind: 'idle', isIdle, time: this.#ports.now() });
    if (entry.hasEnded) this.#watched.delete(entry.id);
    else if (watched.isActive) this.#wait(entry, watched);
    else if (!isIdle && watched.checks < MAX_CHECKS) this.#wait(entry, watched, LOOK_MS * 2 ** watched.checks++);
    else this.#watched.delete(entry.id);
  }

  async #waitsAtPrompt(entry: SessionEntry, { endsLine }: Watched): Promise<boolean | 'polls'> {
    if (entry.hasEnded) return false;
    try {
      const foreground = () => (HAS_PROC ? foregroundOf(entry.aggregate.session.pid) : null);
      return await waitsAtPrompt(entry, foreground, this.#ports.host(), endsLine);
    } catch {
      return false; // the host is being replaced, or the session has ended
    }
  }
}

function isShellAtPrompt(entry: SessionEntry): boolean {
  if (entry.hasEnded || !isShell(entry)) return false;
  const { pid } = entry.aggregate.session;
  const hasEditor = entry.keeper?.hasBracketedPaste ?? false;
  const front = HAS_PROC ? foregroundOf(pid) : null;
  return front ? isShellName(front.name) && (front.pid === pid || hasEditor) : !HAS_PROC && hasEditor;
}

/** True for a session whose program has no adapter. */
const printsLines = ({ hasEnded, view }: SessionEntry): boolean =>
  !hasEnded && view.mode !== 'batch' && view.adapter === GENERIC.name;

/** True for a session whose program is an interactive shell. */
const isShell = ({ view }: SessionEntry): boolean => isInteractiveShell(view.command);

/** Reads the foreground process group of a program's terminal, and the name of its leader. */
function foregroundOf(pid: number): Foreground | null {
  try {
    const group = Number(fieldsOf(pid).fields[5]); // tpgid
    return group > 0 ? { pid: group, name: fieldsOf(group).name } : null;
  } catch {
    return null; // The process has ended.
  }
}

function fieldsOf(pid: number): { readonly name: string; readonly fields: readonly string[] } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name is in parentheses and may contain parentheses and spaces.
  const close = stat.lastIndexOf(')');
  return { name: stat.slice(stat.indexOf('(') + 1, close), fields: stat.slice(close + 2).split(' ') };
}

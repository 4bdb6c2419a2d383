/**
 * Idle watch: notices when a shell waits at its prompt, and when it runs a command again.
 *
 * In:   records of living sessions (`onRecord`).
 * Out:  `idle` inputs for the session's book, which become `session_idle_changed` events.
 *
 * A session is checked LOOK_MS after an output or input, at most once in that time, and never without activity. A shell
 * waits at its prompt if it is itself the foreground process of its terminal. A shell that it started also counts if it
 * has enabled bracketed paste, as line editors do. Without /proc (macOS) bracketed paste alone decides.
 */
import { readFileSync } from 'node:fs';
import type { JournalRecord } from '../../host/index.js';
import { GENERIC } from '../../session/adapters/index.js';
import { Timers } from '../concurrency/index.js';
import type { SessionEntry } from '../registry/index.js';
import { isInteractiveShell, isShellName } from './shells.js';

export interface IdleWatchPorts {
  readonly now: () => number;
  /** Returns the name and the process group of the foreground process of a program's terminal; null if unknown. */
  readonly foreground?: (pid: number) => Foreground | null;
}

export interface Foreground {
  readonly pid: number;
  readonly name: string;
}

/** A command that ends faster changes nothing that a person could see. */
const LOOK_MS = 500;
const HAS_PROC = process.platform === 'linux';

export class IdleWatch {
  readonly #ports: IdleWatchPorts;
  readonly #timers = new Timers();

  constructor(ports: IdleWatchPorts) {
    this.#ports = ports;
  }

  onRecord(entry: SessionEntry, { kind }: JournalRecord): void {
    if (kind !== 'out' && kind !== 'input' && kind !== 'start') return;
    if (this.#timers.has(entry.id) || !isShell(entry)) return;
    this.#timers.set(entry.id, LOOK_MS, () => this.#look(entry));
  }

  close(): void {
    this.#timers.close();
  }

  #look(entry: SessionEntry): void {
    if (entry.hasEnded) return;
    const { pid, idle = false } = entry.book.session;
    const hasEditor = entry.keeper?.hasBracketedPaste ?? false;
    const { foreground = HAS_PROC ? foregroundOf : null } = this.#ports;
    const front = foreground?.(pid);
    const isIdle = front ? isShellName(front.name) && (front.pid === pid || hasEditor) : !foreground && hasEditor;
    if (isIdle !== idle) void entry.apply({ kind: 'idle', isIdle, time: this.#ports.now() });
  }
}

/** True for a session whose program is an interactive shell. */
const isShell = ({ hasEnded, view }: SessionEntry): boolean =>
  !hasEnded && view.mode !== 'batch' && view.adapter === GENERIC.name && isInteractiveShell(view.command);

/** Reads the foreground process group of a program's terminal, and the name of its leader. */
export function foregroundOf(pid: number): Foreground | null {
  try {
    const group = Number(fieldsOf(pid).fields[5]); // tpgid
    return group > 0 ? { pid: group, name: fieldsOf(group).name } : null;
  } catch {
    return null; // it has ended
  }
}

function fieldsOf(pid: number): { readonly name: string; readonly fields: readonly string[] } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name is in parentheses and may contain parentheses and spaces.
  const close = stat.lastIndexOf(')');
  return { name: stat.slice(stat.indexOf('(') + 1, close), fields: stat.slice(close + 2).split(' ') };
}

/**
 * Prompt: tells if a program that prints lines waits for its terminal, such as an interpreter, a client of a database,
 * or `cat`.
 *
 * In:   a session whose output has stopped, the foreground process of its terminal, the terminal's mode.
 * Out:  true if nothing but the terminal can wake the process, or if there is text before the cursor and the program
 *       reads the terminal. `polls` if it may do so: it waits for the terminal for a time only, and may do that
 *       again and again (terminal-polls.ts).
 *
 * A line editor (readline, Node's REPL) takes the terminal out of line mode only while it reads a line. In line mode,
 * the process must be blocked until its terminal has input; Linux shows that in /proc/PID/syscall. If that cannot be
 * read (macOS, or a kernel that forbids it), a program in line mode is not called idle.
 */
import type { HostClient } from '../../host/index.js';
import { GENERIC } from '../../session/adapters/index.js';
import type { SessionEntry } from '../registry/index.js';
import { childrenOf, isInteractiveShell, isRemote } from './shells.js';
import { readPoll } from './terminal-polls.js';
import { onlyTerminalWakes, sleeps, takesInput, waitsForTerminal } from './terminal-wait.js';

const MAX_LOOKS = 3;

/** The foreground process of a program's terminal. */
export interface Foreground {
  readonly pid: number;
  readonly name: string;
}

/**
 * @param foreground  Reads the foreground process; null if it is not known. It is called only if the program may have a
 *   prompt.
 * @param endsLine  The last output ended a line. Such a program waits for its terminal only if nothing else can wake
 *   it; a program that paints, or that runs in a shell, has to show a prompt.
 */
export async function waitsAtPrompt(
  entry: SessionEntry,
  foreground: () => Foreground | null,
  host: HostClient,
  endsLine: boolean,
): Promise<boolean | 'polls'> {
  if (!mayHavePrompt(entry) || isPaintedElsewhere(entry)) return false;
  const front = foreground();
  if (front && (isRemote(front.name) || !mayRead(front.pid))) return false;
  const isBlocked = front !== null && readsTerminal(front.pid);
  const isSilent = isBlocked && !entry.hearing?.view() && !isInteractiveShell(entry.view.command);
  if (isSilent && onlyTerminalWakes(front.pid)) return true;
  if (endsLine) return false;
  // This check comes late because the host starts a process for it.
  const { canonical } = await host.call('terminal', { sessionId: entry.id });
  const isReading = !canonical || isBlocked;
  const isPolling = !isReading && front !== null && readPoll(front.pid) !== null;
  // This check comes last because it builds the screen, and a program without viewers has none yet.
  if ((!isReading && !isPolling) || !standsBehindPrompt(entry)) return false;
  return isReading || 'polls';
}

/** False for agents, and for a session that waits for an answer. */
function mayHavePrompt({ aggregate, hearing }: SessionEntry): boolean {
  const { state, open_items } = aggregate.session;
  const painter = hearing?.painter() ?? null;
  return state !== 'unknown' && open_items === 0 && (painter === null || painter === GENERIC.name);
}

/** True for a program that paints, if its ear sees the cursor hidden, or nothing before it. */
function isPaintedElsewhere({ hearing, keeper }: SessionEntry): boolean {
  const view = hearing?.view();
  if (!view) return false;
  const { cursor, rows } = view;
  if (!cursor) return true;
  return !keeper?.hasBracketedPaste && (rows[cursor.y]?.text ?? '').slice(0, cursor.x).trim() === '';
}

/** True if there is text before the cursor. False for programs that hide the cursor or use the alternate screen. */
function standsBehindPrompt({ keeper }: SessionEntry): boolean {
  const screen = keeper?.screen;
  if (!screen || screen.isAlternate) return false;
  const { x, y, visible } = screen.cursor;
  // readline enables bracketed paste only while it reads a line, even if its prompt is empty, as in `bc`.
  return visible && (screen.hasBracketedPaste || (screen.look({})[y] ?? '').slice(0, x).trim() !== '');
}

/** True if the process, or one of its descendants, is blocked until a terminal has input. */
export const readsTerminal = (pid: number): boolean => someOf(pid, waitsForTerminal);

/** False if the process and its descendants only wait for a time or for another process. */
export const mayRead = (pid: number): boolean => someOf(pid, (one) => !sleeps(one));

/**
 * True if the process, or one of its descendants, waits for a terminal's input now, with or without a timeout. Null if
 * that is not certain.
 */
export function mayTakeInput(pid: number): boolean | null {
  // Processes that start or end may make one look uncertain.
  for (let looks = 1; looks < MAX_LOOKS; looks++) {
    const takes = lookForReader(pid);
    if (takes !== null) return takes;
  }
  return lookForReader(pid);
}

function lookForReader(pid: number): boolean | null {
  let isCertain = true;
  const isWaiting = someOf(pid, (one) => {
    const takes = takesInput(one);
    if (takes === null) isCertain = false;
    return takes === true;
  });
  return isWaiting || (isCertain ? false : null);
}

function someOf(pid: number, isOne: (pid: number) => boolean): boolean {
  const all = new Set([pid]);
  for (const one of all) {
    if (isOne(one)) return true;
    for (const child of childrenOf(one)) all.add(child);
  }
  return false;
}

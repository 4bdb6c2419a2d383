/**
 * Types into programs without known signals: determines when such a program waits for input, and if its terminal
 * echoes.
 *
 * Text that is typed before a program has set up its terminal is echoed twice: by the terminal and by the program.
 * orchd therefore waits until the program and its children sleep and print nothing, for at most READY_LIMIT_MS. A
 * program that computes and prints nothing may still be loading itself: it gets LOADING_LIMIT_MS. So does one that only
 * waits for a time or for another process, and so cannot be waiting for input.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { HostClient } from '../../host/index.js';
import { TERMINAL_NOTE, type TerminalNote } from '../../session/turn/turn-reader.js';
import { childrenOf, mayRead } from '../answers/index.js';
import type { SessionEntry } from '../registry/index.js';

const LOOK_MS = 50;
/** Time for which the program must sleep. */
const CALM_MS = 200;
const READY_LIMIT_MS = 5_000;
const LOADING_LIMIT_MS = 60_000;

/**
 * Resolves when the program seems to wait for input, has ended, or its time has passed.
 *
 * @param calmMs  Time for which it must sleep and print nothing.
 */
export async function whenWaiting(entry: SessionEntry, calmMs = CALM_MS): Promise<void> {
  const begin = entry.monotonicNow();
  const calmLooks = Math.ceil(calmMs / LOOK_MS);
  let limitMs = LOADING_LIMIT_MS;
  for (let calm = 0; calm < calmLooks && entry.monotonicNow() - begin < limitMs && !entry.hasEnded; ) {
    const since = entry.monotonicNow();
    await entry.whenOutputRead(LOOK_MS);
    const isQuiet = entry.monotonicNow() - since >= LOOK_MS - 1;
    limitMs = isQuiet ? LOADING_LIMIT_MS : READY_LIMIT_MS;
    calm = isQuiet && sleeps(entry.view.pid) && mayRead(entry.view.pid) ? calm + 1 : 0;
  }
}

/** Records in the journal how the terminal echoes. A later daemon reads it together with the output. */
export async function noteTerminal(
  host: HostClient,
  entry: SessionEntry,
  writeId: string,
  when: TerminalNote['when'],
): Promise<void> {
  try {
    const { echo, canonical } = await host.call('terminal', { sessionId: entry.id });
    const data: TerminalNote = { write_id: writeId, when, echo, canonical };
    await host.call('note', { sessionId: entry.id, name: TERMINAL_NOTE, data });
  } catch {
    // Without the note, the program's echo is recognized only by its text.
  }
}

/**
 * True if all threads of a process and of its descendants sleep: a program may load itself in a thread that its main
 * thread waits for, as Node does. Without /proc (macOS) this is unknown, and only the output is checked.
 */
function sleeps(pid: number): boolean {
  try {
    const tasks = `/proc/${pid}/task`;
    if (readdirSync(tasks).some((thread) => isRunning(`${tasks}/${thread}/stat`))) return false;
  } catch {
    return true;
  }
  return childrenOf(pid).every(sleeps);
}

function isRunning(file: string): boolean {
  try {
    const stat = readFileSync(file, 'latin1');
    const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
    return state === 'R' || state === 'D';
  } catch {
    return false; // The thread has ended.
  }
}

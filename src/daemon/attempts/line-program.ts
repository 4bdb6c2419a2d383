/**
 * Types into programs without known signals: determines when such a program waits for input, and if its terminal
 * echoes.
 *
 * Text that is typed before a program has set up its terminal is echoed twice: by the terminal and by the program.
 * orchd therefore waits until the program and its children sleep and print nothing, for at most READY_LIMIT_MS.
 */
import { readFileSync } from 'node:fs';
import type { HostClient } from '../../host/index.js';
import { TERMINAL_NOTE, type TerminalNote } from '../../session/turn/turn-reader.js';
import type { SessionEntry } from '../registry/index.js';

const LOOK_MS = 50;
/** Number of consecutive checks at which it must sleep. */
const CALM_LOOKS = 4;
const READY_LIMIT_MS = 5_000;

/** Resolves when the program seems to wait for input, has ended, or READY_LIMIT_MS have passed. */
export async function whenWaiting(entry: SessionEntry): Promise<void> {
  const until = Date.now() + READY_LIMIT_MS;
  for (let calm = 0; calm < CALM_LOOKS && Date.now() < until && !entry.hasEnded; ) {
    const since = Date.now();
    await entry.whenHeard(LOOK_MS);
    const isQuiet = Date.now() - since >= LOOK_MS - 1;
    calm = isQuiet && sleeps(entry.view.pid) ? calm + 1 : 0;
  }
}

/** Records in the journal how the terminal echoes, for a daemon that reads the journal again. */
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
 * True if a process and all of its descendants sleep. Without /proc (macOS) this is unknown, and only the output is
 * checked.
 */
function sleeps(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
    if (state === 'R' || state === 'D') return false;
  } catch {
    return true;
  }
  return childrenOf(pid).every(sleeps);
}

function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  } catch {
    return [];
  }
}

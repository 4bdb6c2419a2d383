/** The state of the signal watch for a checkpoint, also as earlier versions wrote it. */
import type { ActivityFinding } from '../../ears/index.js';
import type { DialogWatchState } from './dialog-watch.js';
import type { Reading } from './signals.js';
import type { SpinnerState } from './spinner.js';
import type { StillScreenState } from './still-screen.js';

export interface SignalWatchState {
  readonly unread: number;
  /** Number of output bytes since the last reading. Undefined in checkpoints of older versions, as the next two. */
  readonly unreadBytes?: number;
  /** Time of the record at the last reading. */
  readonly readMs?: number;
  /** True if something was typed since the program became idle or got another instruction. */
  readonly isTyped?: boolean;
  readonly last: Reading | null;
  readonly isUnsure: boolean;
  readonly told: ActivityFinding['activity'] | null;
  readonly hasBegun: boolean;
  readonly dialogs?: DialogWatchState;
  /** Field of earlier versions, now `dialogs`: the text and the labels of the open dialog, as JSON. */
  readonly open?: string | null;
  /** Undefined stands for false. */
  readonly isPrompted?: boolean;
  readonly hasSettled: boolean;
  readonly readyAt: number | null;
  /** Undefined stands for false. */
  readonly isResized?: boolean;
  /** The row that shows the activity, as it was last read. Undefined in checkpoints of older versions. */
  readonly spinner?: SpinnerState | null;
  /** The words on the screen of a program without signals. Absent before it was read. */
  readonly still?: StillScreenState;
}

/** Converts the state of an earlier version, which stored the open dialog as text. */
export function dialogsOf(open: string | null | undefined): DialogWatchState | undefined {
  if (open === null || open === undefined) return undefined;
  const [text = '', labels = []] = JSON.parse(open) as [text: string, labels: string[]]; // from its own checkpoint
  const dialog = { text, choices: labels.map((label) => ({ label, keys: null })) };
  const isOpen = { dialog, missingSince: null, wasTyped: false, wasChosen: false, chosenAt: null };
  return { candidate: null, open: isOpen };
}

/**
 * When text may be typed into an agent, and whether the agent took it. Pure: what its screen shows comes in, with the
 * time.
 *
 * Agents lose text that is typed before their composer is drawn. They append it to a draft in the composer, and take it
 * for a choice while a dialog is open. After a lost Enter the text stays in the composer, so Enter is pressed once
 * more.
 */

import { significant } from './significant.js';
import type { TextStanding } from './submission.js';

/** What is seen of an agent: its adapter's signals at the last look, and the adapter's times. */
export interface AgentSight {
  /** When its composer was drawn first; null: not yet. Milliseconds since the epoch, as the others. */
  readonly readyAt: number | null;
  readonly activity: 'busy' | 'idle' | 'unknown' | null;
  /** What stands in the composer; null where none is visible. */
  readonly composer: string | null;
  readonly dialog: { readonly text: string } | null;
  readonly readyQuietMs: number;
  readonly readyLimitMs: number;
}

export type WaitReason = 'not_ready' | 'agent_busy' | 'composer_busy';

export interface Wait {
  readonly reason: WaitReason;
  /** After so long it is worth looking again, even if nothing has come. */
  readonly forMs: number;
}

/** An agent that works takes input, but only when it gets to it: it is let finish first, for so long. */
export const BUSY_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * @param since  When the text was to be typed.
 * @param startedAt  When the program was started.
 * @returns  What to wait for; null: type now.
 */
export function whatToWaitFor(sight: AgentSight, now: number, since: number, startedAt: number): Wait | null {
  const { readyAt, activity, composer, dialog, readyQuietMs, readyLimitMs } = sight;
  if (dialog) return { reason: 'composer_busy', forMs: LOOK_AGAIN_MS };
  if (readyAt === null) {
    const left = startedAt + readyLimitMs - now;
    // A version whose screen we do not know: it is typed to as to any other program.
    return left <= 0 ? null : { reason: 'not_ready', forMs: Math.min(LOOK_AGAIN_MS, left) };
  }
  const settling = readyAt + readyQuietMs - now;
  if (settling > 0) return { reason: 'not_ready', forMs: settling };
  // Emoji that the agent has erased may stay in the picture, because the emulator gives them other columns.
  if (composer !== null && significant(composer) !== '') return { reason: 'composer_busy', forMs: LOOK_AGAIN_MS };
  // It has been seen before: something covers it, whatever that is.
  if (composer === null) return { reason: 'composer_busy', forMs: LOOK_AGAIN_MS };
  const busyLeft = since + BUSY_LIMIT_MS - now;
  if (activity === 'busy' && busyLeft > 0) return { reason: 'agent_busy', forMs: Math.min(LOOK_AGAIN_MS, busyLeft) };
  return null;
}

/**
 * True if the text that was typed with Enter still stands in the composer. Nothing else stood there before.
 *
 * `changed`: other words stand there, such as those that a completion has put in the place of the text.
 */
export function composerStanding({ activity, composer, dialog }: AgentSight, text: string): TextStanding | 'changed' {
  if (composer === null || dialog) return 'unknown';
  const shown = significant(composer);
  if (shown === '') return 'left';
  const typed = significant(text);
  // Long pastes are shown as a placeholder: `[Pasted text #1 +12 lines]`.
  if (/\[?pasted/i.test(composer) || typed.includes(shown.slice(0, 40)) || shown.includes(typed)) return 'stands';
  // An agent that works has taken the text: what stands there now is something else.
  return activity === 'busy' ? 'left' : 'changed';
}

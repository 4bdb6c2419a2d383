/**
 * Decides when text may be typed into an agent, and whether the agent took it. Pure: the state of its screen and the
 * time are parameters.
 *
 * Agents lose text that is typed before their composer is drawn. They append it to a draft in the composer, and read it
 * as a choice while a dialog is open. After a lost Enter the text stays in the composer, so Enter is pressed once more.
 */

import { significant } from './significant.js';
import type { TextStanding } from './submission.js';

/** The last signals that the adapter read from the agent's screen, and the adapter's timeouts. */
export interface AgentSight {
  /** Time at which its composer was first drawn (milliseconds since the epoch); null if not yet. */
  readonly readyAt: number | null;
  readonly activity: 'busy' | 'idle' | 'unknown' | null;
  /** The text in the composer; null if no composer is visible. */
  readonly composer: string | null;
  readonly dialog: { readonly text: string } | null;
  readonly readyQuietMs: number;
  readonly readyLimitMs: number;
}

/** The time from which an agent's limits count: by the wall clock, and by a monotonic clock. */
export interface Since {
  readonly startedAt: number;
  readonly monotonic: number;
}

/**
 * Returns the start of the time in which an agent draws its composer. While a dialog is open, the time does not pass,
 * because the agent draws the composer after the answer.
 */
export const sinceDialog = (since: Since, sight: Pick<AgentSight, 'dialog'> | null, now: Since): Since =>
  sight?.dialog ? now : since;

type WaitReason =
  | 'not_ready'
  | 'agent_busy'
  | 'composer_busy'
  | 'not_reading'
  | 'one_line'
  | 'answer_unread'
  | 'part_left';

export interface Wait {
  readonly reason: WaitReason;
  /** The text in the input line. */
  readonly seen?: string;
  /** Milliseconds after which to check again, even if nothing has changed. */
  readonly forMs: number;
}

/** Maximum time to wait for an agent that is working. It would accept input, but read it only after its work. */
export const BUSY_LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 1_000;
/**
 * An agent that was slow to draw its composer is slow to read it, too: it waits for this part of the time that it took,
 * up to LONGEST_SETTLE_MS.
 */
const START_SHARE = 0.5;
const LONGEST_SETTLE_MS = 10_000;

/**
 * @param waitedMs How long the text has waited, by a monotonic clock. It decides if the wall clock was set back: the
 *   times of the program, which are of that clock, are then in the future.
 * @param startedAt Time of the program's start.
 * @returns What to wait for; null: type now.
 */
export function whatToWaitFor(sight: AgentSight, now: number, waitedMs: number, startedAt: number): Wait | null {
  const { readyAt, activity, composer, dialog, readyQuietMs, readyLimitMs } = sight;
  if (dialog) return { reason: 'composer_busy', forMs: LOOK_AGAIN_MS };
  if (readyAt === null) {
    const left = Math.min(startedAt - now, -waitedMs) + readyLimitMs;
    // The screen of this version is not recognized, so the agent is handled like an unknown program.
    return left <= 0 ? null : { reason: 'not_ready', forMs: Math.min(LOOK_AGAIN_MS, left) };
  }
  const settleMs = Math.max(readyQuietMs, Math.min(START_SHARE * (readyAt - startedAt), LONGEST_SETTLE_MS));
  const settling = readyAt > now ? readyQuietMs - waitedMs : readyAt - now + settleMs;
  if (settling > 0) return { reason: 'not_ready', forMs: settling };
  // Erased emoji may remain on the emulated screen, because the emulator gives them another width.
  if (composer !== null && significant(composer) !== '') return { reason: 'composer_busy', forMs: LOOK_AGAIN_MS };
  // The composer was visible before, so something covers it.
  if (composer === null) return { reason: 'composer_busy', forMs: LOOK_AGAIN_MS };
  const busyLeft = BUSY_LIMIT_MS - waitedMs;
  if (activity === 'busy' && busyLeft > 0) return { reason: 'agent_busy', forMs: Math.min(LOOK_AGAIN_MS, busyLeft) };
  return null;
}

/**
 * Determines if a text typed with Enter is still in the composer, which was empty before.
 *
 * `changed`: the composer contains other words, for example those of a completion that replaced the text.
 */
export function composerStanding({ activity, composer, dialog }: AgentSight, text: string): TextStanding | 'changed' {
  if (composer === null || dialog) return 'unknown';
  const shown = significant(composer);
  if (shown === '') return 'left';
  const typed = significant(text);
  // Long pastes are shown as a placeholder: `[Pasted text #1 +12 lines]`.
  if (/\[?pasted/i.test(composer) || typed.includes(shown.slice(0, 40)) || shown.includes(typed)) return 'stands';
  // A working agent has accepted the text, and the composer contains something else.
  return activity === 'busy' ? 'left' : 'changed';
}

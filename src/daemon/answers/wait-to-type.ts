/**
 * Waits until a text can be typed: an agent's composer is drawn and uncovered, the input line is empty, the program
 * reads its terminal, and no editor or pager is in front of it.
 *
 * In:   the text, and the state of its session, which is read again after each output.
 * Out:  how to type it. `onWait` gets each obstacle that lasts for PATIENCE_MS.
 */
import { type Since, type StallReason, sinceDialog, type Wait, whatToWaitFor } from '../../lifecycle/index.js';
import type { SessionEntry } from '../registry/index.js';
import {
  holdsDraft,
  isDeaf,
  type Manner,
  mannerOf,
  mayBeStale,
  seenIn,
  sightOf,
  worksForPerson,
} from './input-line.js';
import { editorInFront } from './shells.js';
import { isAnswer, LOOK_MS, type TypeRequest, type TypingPorts, takesPaste } from './type-request.js';

export interface WaitPorts extends TypingPorts {
  /** True if the text that was typed before is still in the input line. */
  readonly isUnsent: (entry: SessionEntry) => boolean;
  /** Returns the input line if a part of that text is still there; else null. */
  readonly partLeft: (entry: SessionEntry) => string | null;
  /** True if the program may not have read the text that was typed before, and this text would join it. */
  readonly isUnread: (entry: SessionEntry, writeId: string) => boolean;
}

/** Maximum duration of each obstacle before it is reported. */
export const PATIENCE_MS = {
  not_ready: 10_000,
  agent_busy: 10_000,
  composer_busy: 1_000,
  not_reading: 10_000,
  one_line: 10_000,
  answer_unread: 10_000,
  part_left: 1_000,
} as const;
/** Times after which an agent is made to repaint if its composer may be what an earlier picture left there. */
const REPAINT_AFTER_MS = [2_000, 8_000, 30_000] as const;
/**
 * Maximum time to wait for an agent whose terminal is still in line mode. The agent has not begun to read: the terminal
 * itself would show the text, and turn its Enter into a line break.
 */
const LONGEST_START_MS = 180_000;
const START_LOOK_MS = 1_000;
/**
 * An agent that has painted within this time, but not its composer, is still starting: on a busy machine an animation
 * may stand there for a minute. The same limit applies.
 */
const STILL_MS = 3_000;
/** Maximum time from the output of a question until the daemon has found it. */
const HEARD_WITHIN_MS = 2_000;

/** @returns  How to type it; null if the request's signal ended the waiting. */
export async function whenTypeable(
  ports: WaitPorts,
  entry: SessionEntry,
  { writeId, text, onWait, signal }: TypeRequest,
): Promise<Manner | null> {
  const since = ports.monotonicNow();
  let from: Since = { startedAt: entry.start.time, monotonic: since };
  let reported: StallReason | null = null;
  let hasWaited = false;
  let manner = await mannerOf(entry, ports.host());
  const repaintAfter = [...REPAINT_AFTER_MS];
  let staleSince: number | null = null;
  let isLineMode = false;
  let position = entry.aggregate.session.journal_position;
  // When it painted last is not known, so it is watched for a while.
  let printedAt = since;
  // If the clock was set back, the program's start is in the future.
  const ageOf = ({ start }: SessionEntry): number => Math.max(ports.now() - start.time, ports.monotonicNow() - since);
  while (!ports.isOver(entry)) {
    if (position !== entry.aggregate.session.journal_position) {
      position = entry.aggregate.session.journal_position;
      printedAt = ports.monotonicNow();
    }
    from = sinceDialog(from, sightOf(entry), { startedAt: ports.now(), monotonic: ports.monotonicNow() });
    let wait =
      obstacle(ports, entry, manner, from, writeId) ??
      covers(entry, manner, writeId) ??
      splits(entry, manner, text, writeId);
    if (!wait && isUndrawn(entry, writeId) && ageOf(entry) < LONGEST_START_MS) {
      const wasLineMode = isLineMode;
      isLineMode = (await ports.host().call('terminal', { sessionId: entry.id })).canonical;
      // The agent begins to read only now, so it gets the whole time to draw its composer.
      if (wasLineMode && !isLineMode) from = { startedAt: ports.now(), monotonic: ports.monotonicNow() };
      const isPainting = ports.monotonicNow() - printedAt < STILL_MS;
      if (wasLineMode || isLineMode || isPainting) wait = { reason: 'not_ready', forMs: START_LOOK_MS };
    }
    if (!wait && !signal?.aborted) {
      // During the wait, the program may have changed the way it reads input.
      const now = hasWaited ? await mannerOf(entry, ports.host()) : manner;
      if (now === manner) return manner;
      manner = now;
      continue;
    }
    if (
      wait &&
      wait.reason !== reported &&
      (signal?.aborted || ports.monotonicNow() - since >= PATIENCE_MS[wait.reason])
    ) {
      reported = wait.reason;
      onWait(wait.reason, wait.seen);
    }
    if (signal?.aborted) return null;
    hasWaited = true;
    const isStale = wait?.reason === 'composer_busy' && mayBeStale(entry);
    staleSince = isStale ? (staleSince ?? ports.monotonicNow()) : null;
    const [staleMs = Number.POSITIVE_INFINITY] = repaintAfter;
    if (staleSince !== null && ports.monotonicNow() - staleSince >= staleMs) {
      repaintAfter.shift();
      await repaint(ports, entry);
    }
    await ports.pause(entry, Math.min(wait?.forMs ?? LOOK_MS, LOOK_MS));
  }
  return null;
}

async function repaint(ports: WaitPorts, entry: SessionEntry): Promise<void> {
  try {
    await ports.repaint(entry);
  } catch (error) {
    if (!entry.hasEnded) ports.log.error('a program could not repaint', error, { session_id: entry.id });
  }
}

/** Returns what hinders the typing now; null if nothing does. */
function obstacle(
  ports: WaitPorts,
  entry: SessionEntry,
  manner: Manner,
  { startedAt, monotonic }: Since,
  writeId: string,
): Wait | null {
  const sight = sightOf(entry);
  // The agent draws its composer only after the answer to a question that it asks before that.
  const isAwaited = sight?.readyAt === null && sight.dialog === null && answersOpening(entry, writeId);
  const wait = sight && !isAwaited && whatToWaitFor(sight, ports.now(), ports.monotonicNow() - monotonic, startedAt);
  if (wait) return wait.reason === 'composer_busy' ? { ...wait, ...seenIn(entry) } : wait;
  const isHeld = holdsDraft(entry, manner, isAnswer(entry, writeId)) || ports.isUnsent(entry);
  if (isHeld) return { reason: 'composer_busy', forMs: LOOK_MS, ...seenIn(entry) };
  const seen = ports.partLeft(entry);
  if (seen !== null) return { reason: 'part_left', forMs: LOOK_MS, seen };
  if (ports.isUnread(entry, writeId)) return { reason: 'answer_unread', forMs: LOOK_MS };
  const busy = isAnswer(entry, writeId) ? worksForPerson(entry, manner) : null;
  if (busy) return { reason: busy, forMs: LOOK_MS };
  const isUnheard = isAnswer(entry, writeId) && isDeaf(entry, manner, ports.monotonicNow() - monotonic);
  return isUnheard ? { reason: 'not_reading', forMs: LOOK_MS } : null;
}

/** True for an agent that has not drawn its composer, and asks for nothing before that. */
function isUndrawn(entry: SessionEntry, writeId: string): boolean {
  const sight = sightOf(entry);
  return sight?.readyAt === null && sight.dialog === null && !answersOpening(entry, writeId);
}

/** True for an answer to a question that a program asks before it takes its prompt (attempts/before-prompt.ts). */
const answersOpening = (entry: SessionEntry, writeId: string): boolean =>
  entry.aggregate.items.some(({ writeId: its, item }) => its === writeId && item.data['source'] === 'question');

/**
 * An editor or a pager that was opened after the question would run the answer's letters as commands. One that was
 * opened before may itself show the program that asks, in a terminal inside the editor.
 */
function covers(entry: SessionEntry, manner: Manner, writeId: string): Wait | null {
  const asked = entry.aggregate.items.find((item) => item.writeId === writeId)?.item;
  if (manner !== 'keys' || !asked) return null;
  const isCovered = editorInFront(entry.view.pid, Date.parse(asked.opened_at) - HEARD_WITHIN_MS) !== null;
  return isCovered ? { reason: 'composer_busy', forMs: LOOK_MS } : null;
}

/**
 * A program that takes lines one by one would take the others for answers to its next questions. It took several lines
 * as one text when the answer was given, or the answer would have been refused.
 */
function splits(entry: SessionEntry, manner: Manner, text: string, writeId: string): Wait | null {
  if (manner === 'agent' || !text.includes('\n') || !isAnswer(entry, writeId)) return null;
  const isOneText = manner === 'keys' && takesPaste(entry);
  return isOneText ? null : { reason: 'one_line', forMs: LOOK_MS };
}

/**
 * When the turn of an interactive run is over, which is an attempt's end. Pure: what is known of the session comes in,
 * with how long it has rested by now.
 *
 *     what the agent writes down     its last words, and that the turn is over; where it never says so, or says nothing
 *                                    at all, rest
 *     a screen that is read          rest alone: nothing else tells that nothing more comes
 *     any other program              TASK_COMPLETE or an envelope, and rest; else its end, which is not decided here
 */
import type { Item } from '../protocol/index.js';
import type { Book } from './book.js';
import { isUnderWay } from './passing.js';

export interface TurnSigns {
  readonly isTyped: boolean;
  /** The agent has written down that it took what was typed; its last words since; that its turn is over. */
  readonly isTaken: boolean;
  readonly text: string | null;
  readonly isOver: boolean;
  /** What it writes down is heard. */
  readonly hasTranscript: boolean;
  /** Its screen is read. */
  readonly isSeen: boolean;
  /** How long it has not worked, asked, or been answered. */
  readonly restMs: number;
}

/** Its last words may still be on their way from where they were written down. */
export const WORDS_REST_MS = 2_000;
/** Nothing more is seen of an agent that has taken an input than that it rests: it may be starting slowly. */
export const WORDLESS_REST_MS = 10_000;

export function isTurnOver({ isTyped, isTaken, text, isOver, hasTranscript, isSeen, restMs }: TurnSigns): boolean {
  if (!isTyped) return false;
  if (!hasTranscript) return restMs >= (isSeen ? 2 * WORDS_REST_MS : WORDS_REST_MS);
  const isEnough = isTaken && (text !== null || isOver);
  if (isEnough && isOver && text !== null) return true;
  if (isEnough && (isOver || isSeen)) return restMs >= WORDS_REST_MS;
  return isSeen && restMs >= WORDLESS_REST_MS;
}

/**
 * Something waits for a person, or is about to be typed: the turn is not over before. A bell or a notification asks for
 * nothing.
 */
export const isHeldUp = ({ items }: Pick<Book, 'items'>): boolean =>
  items.some(({ item }) => (item.state === 'open' ? waitsForPerson(item) : isUnderWay(item.answer)));

/** Open, and its agent goes on only when it is answered. */
export const waitsForPerson = ({ state, type, data }: Pick<Item, 'state' | 'type' | 'data'>): boolean =>
  state === 'open' && (type !== 'attention' || data['source'] === 'dialog' || data['source'] === 'hook');

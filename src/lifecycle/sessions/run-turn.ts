/**
 * Decides when the turn of an interactive run is over, which ends the attempt. Pure: the signs of the session are
 * parameters, including how long it has rested.
 *
 *     an agent with a transcript    its final text and the end of the turn; a rest, if the transcript records no end or
 *                                   no text
 *     an agent whose screen is read a rest, because no other sign exists
 *     any other program             TASK_COMPLETE, an envelope, or its prompt behind something that it printed; and a
 *                                   rest. The program's own end is handled elsewhere
 */
import type { AttentionFinding } from '../../ears/index.js';
import type { Item } from '../../protocol/index.js';
import { isDeliveryPending } from '../answers/delivery-pending.js';
import type { SessionAggregate } from './aggregate.js';

export interface TurnSigns {
  /** How far the turn is: `accepted` and `over` as the agent's transcript shows. */
  readonly phase: 'untyped' | 'typed' | 'accepted' | 'over';
  /** The last text in the agent's transcript since the phase `typed` or `accepted` began. */
  readonly text: string | null;
  /** True if its transcript is read. */
  readonly hasTranscript: boolean;
  /** True if its screen is read. */
  readonly isSeen: boolean;
  /** Milliseconds since it last worked, asked, or was answered. */
  readonly restMs: number;
}

/** Time for the final text to arrive from the transcript. */
export const WORDS_REST_MS = 2_000;
/**
 * Silence that ends a turn if the accepted input is the only sign. It is longer, because the agent may start slowly.
 */
export const WORDLESS_REST_MS = 10_000;

/** True if the turn of an interactive run is over. */
export function isTurnOver({ phase, text, hasTranscript, isSeen, restMs }: TurnSigns): boolean {
  if (phase === 'untyped') return false;
  if (!hasTranscript) return restMs >= (isSeen ? 2 * WORDS_REST_MS : WORDS_REST_MS);
  if (phase === 'over') return text !== null || restMs >= WORDS_REST_MS;
  if (phase === 'accepted' && text !== null && isSeen) return restMs >= WORDS_REST_MS;
  return isSeen && restMs >= WORDLESS_REST_MS;
}

/**
 * True if an item waits for a person or an answer is about to be typed, so that the turn is not over. A bell or a
 * notification does not count.
 */
export const isHeldUp = ({ items }: Pick<SessionAggregate, 'items'>): boolean =>
  items.some(({ item }) => (item.state === 'open' ? waitsForPerson(item) : isDeliveryPending(item.answer)));

/** Sources of requests after which the program waits until the request is answered. */
export const STOPS: ReadonlySet<string> = new Set([
  'dialog',
  'hook',
  'question',
] satisfies AttentionFinding['source'][]);

/** True if the item is open and its agent goes on only after the answer. */
export const waitsForPerson = ({ state, type, data }: Pick<Item, 'state' | 'type' | 'data'>): boolean =>
  state === 'open' && (type !== 'attention' || STOPS.has(String(data['source'])));

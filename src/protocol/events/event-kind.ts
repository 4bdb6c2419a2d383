/** The descriptor of an event type: the text that each surface shows for such an event. */

import type { Event } from '../generated/types.js';
import type { Style } from '../states/index.js';

export interface EventWords {
  readonly text: string;
  readonly style?: Style;
}

export interface EventKind<E> {
  /** The details in `orchd events`, after its time, type and session. */
  readonly line: (event: E) => string;
  /** The line in a feed; null if another line already says it. */
  readonly feed: (event: E) => EventWords | null;
  /** Sentences with which `orchd explain` gives the cause of an event that did not come from output. */
  readonly why?: (event: E) => readonly string[];
}

export type EventKinds = {
  readonly [T in Event['event_type']]: EventKind<Extract<Event, { event_type: T }>>;
};

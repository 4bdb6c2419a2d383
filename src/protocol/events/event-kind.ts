/** The descriptor of an event type: the lists that it changes, and the text that each surface shows for it. */

import type { Event } from '../generated/types.js';
import type { Style } from '../states/index.js';

export interface EventWords {
  readonly text: string;
  readonly style?: Style;
}

/** A list that clients show. */
export type EventList = 'inbox' | 'sessions' | 'runs' | 'tasks' | 'workflows' | 'agents';

export interface EventKind<E> {
  /** The lists that it changes, beside those of the task and the workflow that it names. Clients load them again. */
  readonly lists: readonly EventList[] | 'all';
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

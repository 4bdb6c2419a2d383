/**
 * The descriptors of all event types. A descriptor has the texts for people; protocol/events.schema.json defines the
 * data. A missing descriptor for an event of the schema is a compile error.
 */

import type { Event } from '../generated/types.js';
import { displayLine } from '../text/index.js';
import type { EventKind, EventKinds, EventList, EventWords } from './event-kind.js';
import { ITEM_EVENTS } from './item-events.js';
import { SESSION_EVENTS } from './session-events.js';
import { WORK_EVENTS } from './work-events.js';

export type { EventList, EventWords } from './event-kind.js';

const EVENT_KINDS: EventKinds = { ...SESSION_EVENTS, ...ITEM_EVENTS, ...WORK_EVENTS };

export const EVENT_TYPES: readonly string[] = Object.keys(EVENT_KINDS);

/** A newer daemon may send event types that this version does not know. */
const kindOf = (event: Event): EventKind<Event> | undefined =>
  EVENT_KINDS[event.event_type] as EventKind<Event> | undefined;

/** Returns the lists that an event changes, beside those of the task and the workflow that it names. */
export const listsOf = (event: Event): readonly EventList[] | 'all' => kindOf(event)?.lists ?? [];

/** Returns the details of an event on one line. */
export function eventLine(event: Event): string {
  try {
    return displayLine(kindOf(event)?.line(event) ?? '');
  } catch {
    return '(a field of this event is missing: it was damaged on disk)';
  }
}

/** Returns the line of an event in a feed; null if another line already says it. */
export function eventWords(event: Event): EventWords | null {
  const kind = kindOf(event);
  try {
    const found = kind ? kind.feed(event) : { text: event.event_type };
    return found && { ...found, text: displayLine(found.text) };
  } catch {
    return { text: `${event.event_type}: damaged on disk`, style: 'red' }; // a field is missing
  }
}

/** Returns why an event happened, if nothing in the output caused it. */
export const whyOfEvent = (event: Event): readonly string[] => kindOf(event)?.why?.(event) ?? [];

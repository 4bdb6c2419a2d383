/** Filters events by kind, by session and by words. Pure. */
import { type Event, eventLine, eventWords, type Style } from '../../protocol/index.js';

export const KINDS = ['all', 'messages', 'inbox', 'sessions', 'work', 'daemon'] as const;
export type Kind = (typeof KINDS)[number];

const PATTERNS: Readonly<Record<Exclude<Kind, 'all'>, RegExp>> = {
  messages: /^message/,
  inbox: /^(item|answer)_/,
  sessions: /^session_/,
  work: /^(run|task|workflow|blueprint|planner|completion)_|^result$/,
  daemon: /^(daemon|journal)_/,
};

export interface ListedEvent {
  readonly event: Event;
  /** The current name of the event's session; its id if the session is gone; '' if the event has no session. */
  readonly who: string;
  readonly line: string;
}

/** The list shows the beginning only, and searches every line at each key. Whole lines may have megabytes. */
const MAX_DETAIL_CHARS = 500;
const lines = new WeakMap<Event, string>();

/** Returns the details of an event on one line. The text is cached. */
export function lineOf(event: Event): string {
  const known = lines.get(event);
  if (known !== undefined) return known;
  const line = eventLine(event);
  const cut = line.length > MAX_DETAIL_CHARS ? `${line.slice(0, MAX_DETAIL_CHARS)}…` : line;
  lines.set(event, cut);
  return cut;
}

const styles = new WeakMap<Event, { readonly style: Style | undefined }>();

/** Returns the style of an event in a feed. The style is cached. */
export function styleOf(event: Event): Style | undefined {
  const known = styles.get(event);
  if (known) return known.style;
  const style = eventWords(event)?.style;
  styles.set(event, { style });
  return style;
}

interface EventQuery {
  readonly kind: Kind;
  /** Words that must all occur. */
  readonly filter: string;
  /** The id of a session; '' for all. */
  readonly session: string;
}

export function shownEvents(
  events: readonly Event[],
  { kind, filter, session }: EventQuery,
  names: ReadonlyMap<string, string>,
): ListedEvent[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const pattern = kind === 'all' ? null : PATTERNS[kind];
  const listed: ListedEvent[] = [];
  for (const event of events) {
    if (pattern && !pattern.test(event.event_type)) continue;
    if (session !== '' && event.session_id !== session) continue;
    const id = event.session_id ?? event.workflow_id;
    const who = typeof id === 'string' ? (names.get(id) ?? id) : '';
    const line = lineOf(event);
    const text = words.length === 0 ? '' : `${event.seq} ${event.event_type} ${who} ${line}`.toLowerCase();
    if (words.every((word) => text.includes(word))) listed.push({ event, who, line });
  }
  return listed;
}

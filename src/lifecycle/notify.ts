/**
 * Decides which items the person is notified of now, and when to decide again.
 *
 * In:   open items that were not notified, the presence of people, the time, and the rules.
 * Out:  the items to notify, and the time of the next decision.
 * An item is notified when it has been open for `afterMs`, no person has it on screen, and no quiet hours apply. An
 * item that a person saw but left open is therefore notified after the person has gone. Items opened in quiet hours are
 * notified together when the quiet hours end.
 */
import { displayLine, ITEM_BADGES, type Item, minutesOfQuiet, type QuietHours, subjectOf } from '../protocol/index.js';
import { timeOf } from './timestamp.js';

export interface NotifyRules {
  readonly afterMs: number;
  readonly quiet: QuietHours | null;
}

/** A person who is present at a client, until `until` or the client's next report. */
export interface Presence {
  /** The session on the screen; null for the whole inbox. */
  readonly sessionId: string | null;
  readonly until: number;
}

export interface NotifyInput {
  /** Open items that were not notified. */
  readonly items: readonly Item[];
  readonly presences: readonly Presence[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The local time of day at the same moment, in milliseconds since midnight. */
  readonly timeOfDayMs: number;
  readonly rules: NotifyRules;
}

interface NotifyDecision {
  readonly tell: readonly Item[];
  /** Time of the next decision. Null if only a new item or a change of presence can change the result. */
  readonly lookAgainAt: number | null;
}

const MINUTE_MS = 60_000;

/**
 * Decides which items to notify the person of now.
 *
 * @returns The items to notify, and the time of the next decision; null if none is needed.
 */
export function decideNotify({ items, presences, now, timeOfDayMs, rules }: NotifyInput): NotifyDecision {
  if (items.length === 0) return { tell: [], lookAgainAt: null };
  const quietMs = quietLeft(rules.quiet, timeOfDayMs);
  if (quietMs > 0) return { tell: [], lookAgainAt: now + quietMs };
  const due = items.map((item) => ({ item, at: dueAt(item, presences, rules) }));
  const later = due.filter(({ at }) => at > now);
  return {
    tell: due.filter(({ at }) => at <= now).map(({ item }) => item),
    lookAgainAt: later.length === 0 ? null : Math.min(...later.map(({ at }) => at)),
  };
}

/** Returns the milliseconds until quiet hours end; 0 outside quiet hours. */
export function quietLeft(quiet: QuietHours | null, timeOfDayMs: number): number {
  if (quiet === null) return 0;
  const left = minutesOfQuiet(quiet, Math.floor(timeOfDayMs / MINUTE_MS));
  return left === 0 ? 0 : left * MINUTE_MS - (timeOfDayMs % MINUTE_MS);
}

function dueAt(item: Item, presences: readonly Presence[], { afterMs }: NotifyRules): number {
  const inSight = presences.filter(({ sessionId }) => sessionId === null || sessionId === item.session_id);
  return Math.max(timeOf(item.opened_at) + afterMs, ...inSight.map(({ until }) => until));
}

// ── texts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface NotifyWords {
  readonly title: string;
  readonly text: string;
}

/** Maximum length of a text. Terminals and desktops may cut it further. */
const MAX_TEXT_CHARS = 240;
/** Maximum number of items named in one notification. */
const MAX_NAMED = 5;

/** Returns the title and the text for one item, each on one line and safe to display. */
export function notifyWords(item: Item): NotifyWords {
  return {
    title: `${displayLine(item.session_name)} ${ITEM_BADGES[item.type].title}`,
    text: cut(displayLine(subjectOf(item))),
  };
}

/** Returns one title and text for several items. */
export function notifySummary(all: readonly NotifyWords[]): NotifyWords {
  const [first] = all;
  if (first && all.length === 1) return first;
  const named = all.slice(0, MAX_NAMED).map(({ title }) => title);
  const rest = all.length - named.length;
  return {
    title: `${all.length} items wait for you`,
    text: cut([...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')),
  };
}

function cut(text: string): string {
  const chars = Array.from(text);
  return chars.length <= MAX_TEXT_CHARS ? text : `${chars.slice(0, MAX_TEXT_CHARS - 1).join('')}…`;
}

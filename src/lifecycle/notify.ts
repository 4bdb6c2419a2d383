/**
 * Of which items the person is told now, and when to look again.
 *
 * In:   the open items that nobody was told of, who sits where, the time, and the rules.
 * Out:  the items to tell of, and the time after which the answer may be another one.
 * An item is told once it has been open for `afterMs`, nobody has it in sight, and no quiet hours are. So what is
 * looked at and left open is told when the person has gone; and what opened in quiet hours is told, all at once, when
 * they end.
 */
import { displayLine, type Item, minutesOfQuiet, type QuietHours, subjectOf } from '../protocol/index.js';
import { timeOf } from './timestamp.js';

export interface NotifyRules {
  readonly afterMs: number;
  readonly quiet: QuietHours | null;
}

/** Somebody sits at a client, until it is told anew. */
export interface Presence {
  /** The one session in sight; null: the whole inbox. */
  readonly sessionId: string | null;
  readonly until: number;
}

export interface NotifyInput {
  /** Open, and not told of. */
  readonly items: readonly Item[];
  readonly presences: readonly Presence[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The same by the local clock: milliseconds since midnight. */
  readonly timeOfDayMs: number;
  readonly rules: NotifyRules;
}

export interface NotifyDecision {
  readonly tell: readonly Item[];
  /** Null: nothing changes by time alone. */
  readonly lookAgainAt: number | null;
}

const MINUTE_MS = 60_000;

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

/** Milliseconds until quiet hours end; 0 outside of them. */
export function quietLeft(quiet: QuietHours | null, timeOfDayMs: number): number {
  if (quiet === null) return 0;
  const left = minutesOfQuiet(quiet, Math.floor(timeOfDayMs / MINUTE_MS));
  return left === 0 ? 0 : left * MINUTE_MS - (timeOfDayMs % MINUTE_MS);
}

function dueAt(item: Item, presences: readonly Presence[], { afterMs }: NotifyRules): number {
  const inSight = presences.filter(({ sessionId }) => sessionId === null || sessionId === item.session_id);
  return Math.max(timeOf(item.opened_at) + afterMs, ...inSight.map(({ until }) => until));
}

// ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface NotifyWords {
  readonly title: string;
  readonly text: string;
}

const WANTS: Readonly<Record<Item['type'], string>> = {
  QUESTION: 'asks',
  BLOCKED: 'is blocked',
  REQUEST_REVIEW: 'asks for a review',
  attention: 'wants you',
};
/** Terminals and desktops cut earlier, each elsewhere. */
const MAX_TEXT_CHARS = 240;
/** Of several items, so many are named. */
const MAX_NAMED = 5;

/** What is said of one item: fit to be shown, on one line each. */
export function notifyWords(item: Item): NotifyWords {
  return { title: `${displayLine(item.session_name)} ${WANTS[item.type]}`, text: cut(displayLine(subjectOf(item))) };
}

/** The same of several at once. */
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

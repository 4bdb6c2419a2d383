/** The order of the events that the page holds. Pure. */
import type { Event } from '../../protocol/index.js';

export const MAX_EVENTS = 10_000;

/** Returns both in order, each event once, and at most the newest MAX_EVENTS. */
export function joined(events: readonly Event[], fresh: readonly Event[]): Event[] {
  const last = events.at(-1)?.seq ?? 0;
  const isAfter = fresh.every(({ seq }, at) => (seq ?? 0) > (at === 0 ? last : (fresh[at - 1]?.seq ?? 0)));
  if (isAfter) return [...events, ...fresh].slice(-MAX_EVENTS);
  const bySeq = new Map([...events, ...fresh].map((event) => [event.seq ?? 0, event]));
  return [...bySeq.values()].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)).slice(-MAX_EVENTS);
}

import { expect, test } from 'vitest';
import { EVENT_TYPES, type Event } from '../../protocol/index.js';
import { KINDS, shownEvents } from './event-filter.js';

const at = '2026-01-01T00:00:00.000Z';
const renamed = (seq: number, session_id: string, name: string): Event => ({
  seq,
  event_type: 'session_renamed',
  timestamp: at,
  session_id,
  name,
  previous: 'old',
});
const ALL = { kind: 'all', filter: '', session: '' } as const;
const names = new Map([['ses_a', 'api']]);

test('finds words in the type, the session and the details', () => {
  const events = [renamed(1, 'ses_a', 'alpha'), renamed(2, 'ses_b', 'beta')];
  const found = (filter: string): unknown[] =>
    shownEvents(events, { ...ALL, filter }, names).map(({ event }) => event.seq);
  expect([found('API'), found('renamed beta'), found('old'), found('api beta')]).toEqual([[1], [2], [1, 2], []]);
});

test('shows the events of one session with its name', () => {
  const [first] = shownEvents(
    [renamed(1, 'ses_a', 'x'), renamed(2, 'ses_b', 'x')],
    { ...ALL, session: 'ses_a' },
    names,
  );
  expect(first).toMatchObject({ who: 'api', event: { seq: 1 } });
});

test('puts each event type into exactly one kind', () => {
  for (const event_type of EVENT_TYPES) {
    // without the other fields, which are shown as missing
    const events = [{ seq: 1, event_type, timestamp: at } as Event];
    const kinds = KINDS.filter((kind) => shownEvents(events, { ...ALL, kind }, names).length > 0);
    expect(kinds, event_type).toHaveLength(2); // `all`, and its own
  }
});

import { expect, test } from 'vitest';
import type { Event } from '../../protocol/index.js';
import { joined, MAX_EVENTS } from './event-log.js';

const events = (...seqs: number[]): Event[] => seqs.map((seq) => ({ seq }) as Event); // joined reads only the seq
const seqsOf = (some: readonly Event[]): number[] => some.map(({ seq }) => seq ?? 0);

test('appends new events', () => {
  expect(seqsOf(joined(events(1, 2), events(3, 4)))).toEqual([1, 2, 3, 4]);
});

test('sorts earlier and repeated events, and keeps each once', () => {
  expect(seqsOf(joined(events(5, 6), events(3, 4)))).toEqual([3, 4, 5, 6]);
  expect(seqsOf(joined(events(5, 6), events(6, 7, 5)))).toEqual([5, 6, 7]);
});

test('keeps the newest events up to MAX_EVENTS', () => {
  const all = joined(events(...Array.from({ length: MAX_EVENTS }, (_, at) => at + 1)), events(MAX_EVENTS + 1));
  expect([all.length, all[0]?.seq, all.at(-1)?.seq]).toEqual([MAX_EVENTS, 2, MAX_EVENTS + 1]);
});

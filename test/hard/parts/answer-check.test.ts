import { expect, test } from 'vitest';
import type { Event } from '../../../src/protocol/index.js';
import { accountForAnswers } from './answer-check.js';

const START = Date.parse('2026-01-01T00:00:00Z');
let seq = 0;

/** Returns an event of session s1, `second` seconds after START. */
const at = (second: number, event_type: string, more: object = {}): Event =>
  ({
    seq: ++seq,
    event_type,
    timestamp: new Date(START + second * 1000).toISOString(),
    session_id: 's1',
    ...more,
  }) as unknown as Event; // Only the fields that accountForAnswers reads.
const accepted = (item: string, second = 0): Event[] => [
  at(second, 'item_answered', { item_id: item, answer: { text: `text of ${item}` } }),
  at(second, 'answer_accepted', { item_id: item }),
];
const written = (item: string, second = 1): Event => at(second, 'answer_written', { item_id: item });
const stalled = (item: string, reason: string, second = 1): Event =>
  at(second, 'answer_stalled', { item_id: item, reason });
const account = (events: Event[], read: string[] = []) =>
  accountForAnswers(events, new Set(read.map((item) => `text of ${item}`)), 10_000);

test('an answer that was written and read needs no explanation', () => {
  expect(account([...accepted('i1'), written('i1')], ['i1'])).toMatchObject({
    accepted: 1,
    read: 1,
    unexplained: [],
    overdue: [],
  });
});

test('an answer whose session was lost before it was typed is explained by its stall', () => {
  const events = [...accepted('i1'), stalled('i1', 'session_lost'), at(1, 'session_lost')];
  expect(account(events)).toMatchObject({ read: 0, lostBefore: 1, lostAfter: 0, unexplained: [], overdue: [] });
});

test('a written answer whose session was then lost is explained', () => {
  expect(account([...accepted('i1'), written('i1'), at(2, 'session_lost')])).toMatchObject({
    lostBefore: 0,
    lostAfter: 1,
    unexplained: [],
  });
});

test('a written answer is unexplained if the program asked again and did not read it', () => {
  const events = [...accepted('i1'), written('i1'), at(2, 'item_opened', { item_id: 'i2' }), at(3, 'session_lost')];
  expect(account(events).unexplained).toEqual(['i1']);
});

test('a written answer is unexplained if only another session was lost', () => {
  const other = { ...at(2, 'session_lost'), session_id: 's2' } as Event;
  expect(account([...accepted('i1'), written('i1'), other]).unexplained).toEqual(['i1']);
});

test('an answer that still waits is unexplained, and one without a delivery event is also overdue', () => {
  expect(account([...accepted('i1'), stalled('i1', 'delayed')]).unexplained).toEqual(['i1']);
  expect(account([...accepted('i1'), at(2, 'session_lost')])).toMatchObject({ unexplained: ['i1'], overdue: ['i1'] });
});

test('an answer whose first delivery event is late is overdue even if it was read', () => {
  expect(account([...accepted('i1'), written('i1', 11)], ['i1'])).toMatchObject({ overdue: ['i1'], unexplained: [] });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Item } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/session-entry.js';
import { AnswerWatch } from './answer-watch.js';

const entry = {} as SessionEntry; // the watch only passes it on
const answered = (id: string, delivery: 'accepted' | 'written' | 'stalled', at = Date.now()): Item => {
  const answer = { text: 'yes', by: 'cli', at: new Date(at).toISOString(), delivery };
  return { id, state: 'answered', answer } as Item; // the fields that the watch reads
};
let overdue: string[];
let watch: AnswerWatch;

beforeEach(() => {
  vi.useFakeTimers();
  overdue = [];
  const clocks = { now: Date.now, monotonicNow: () => performance.now() };
  watch = new AnswerWatch({ stallMs: 1000, onOverdue: (id) => overdue.push(id), ...clocks });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

test('reports an accepted answer once if it is not written within stallMs', () => {
  watch.onItem(answered('itm_1', 'accepted'), entry);
  watch.onItem(answered('itm_1', 'accepted'), entry);
  vi.advanceTimersByTime(999);
  expect(overdue).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(overdue).toEqual(['itm_1']);
});

test.each(['written', 'stalled'] as const)('does not report an answer that is %s in time', (delivery) => {
  watch.onItem(answered('itm_1', 'accepted'), entry);
  vi.advanceTimersByTime(500);
  watch.onItem(answered('itm_1', delivery), entry);
  vi.advanceTimersByTime(10_000);
  expect(overdue).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('reports an old answer at once if its time was over before the daemon started', () => {
  watch.onItem(answered('itm_1', 'accepted', Date.now() - 5000), entry);
  vi.advanceTimersByTime(1);
  expect(overdue).toEqual(['itm_1']);
});

test('reports an answer from the future after stallMs: the clock was set back', () => {
  watch.onItem(answered('itm_1', 'accepted', Date.now() + 365 * 24 * 3_600_000), entry);
  vi.advanceTimersByTime(999);
  expect(overdue).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(overdue).toEqual(['itm_1']);
});

test('counts accepted answers that are clearly overdue', () => {
  const items = [
    answered('itm_1', 'accepted', Date.now() - 60_000),
    answered('itm_2', 'accepted'),
    answered('itm_3', 'stalled', Date.now() - 60_000),
  ];
  for (const item of items) watch.onItem(item, entry);
  vi.advanceTimersByTime(1000);
  expect(watch.overdue(items)).toBe(0); // Their events may still be on the way.
  vi.advanceTimersByTime(1);
  expect(watch.overdue(items)).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(watch.overdue(items)).toBe(2);
});

test('counts an accepted answer that the watch was never told of', () => {
  vi.advanceTimersByTime(5000);
  expect(watch.overdue([answered('itm_1', 'accepted')])).toBe(1);
});

test.each([365, -365])('makes no answer overdue, or forgotten, if the clock jumps by %i days', (days) => {
  const item = answered('itm_1', 'accepted');
  watch.onItem(item, entry);
  vi.setSystemTime(Date.now() + days * 24 * 3_600_000);
  vi.advanceTimersByTime(999);
  expect([overdue, watch.overdue([item])]).toEqual([[], 0]);
  vi.advanceTimersByTime(1002);
  expect([overdue, watch.overdue([item])]).toEqual([['itm_1'], 1]);
});

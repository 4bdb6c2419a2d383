import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timers } from './timers.js';

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a timer of any length fires once, and another with its id replaces it', () => {
  const timers = new Timers();
  const told: string[] = [];
  timers.set('a', 100 * DAY_MS, () => told.push('a'));
  timers.set('b', 1, () => told.push('never'));
  timers.set('b', 2, () => told.push('b'));
  timers.set('late', -5, () => told.push('late'));
  vi.advanceTimersByTime(DAY_MS);
  expect(told).toEqual(['late', 'b']);
  expect([timers.has('a'), timers.has('b')]).toEqual([true, false]);
  vi.advanceTimersByTime(99 * DAY_MS - 1);
  expect(told).toEqual(['late', 'b']);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['late', 'b', 'a']);
  expect(vi.getTimerCount()).toBe(0);
});

test('what is cleared or closed does not fire', () => {
  const timers = new Timers();
  const fire = vi.fn();
  for (const id of ['a', 'b', 'c']) timers.set(id, 10, fire);
  timers.clear('a');
  timers.close();
  vi.advanceTimersByTime(20);
  expect(fire).not.toHaveBeenCalled();
});

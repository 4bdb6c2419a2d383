import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timers } from './timers.js';

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a timer of any length fires once, and setting its id again replaces it', () => {
  const timers = new Timers();
  const fired: string[] = [];
  timers.set('a', 100 * DAY_MS, () => fired.push('a'));
  timers.set('b', 1, () => fired.push('never'));
  timers.set('b', 2, () => fired.push('b'));
  timers.set('late', -5, () => fired.push('late'));
  vi.advanceTimersByTime(DAY_MS);
  expect(fired).toEqual(['late', 'b']);
  expect([timers.has('a'), timers.has('b')]).toEqual([true, false]);
  vi.advanceTimersByTime(99 * DAY_MS - 1);
  expect(fired).toEqual(['late', 'b']);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(['late', 'b', 'a']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a timer does not fire after clear or close', () => {
  const timers = new Timers();
  const fire = vi.fn();
  for (const id of ['a', 'b', 'c']) timers.set(id, 10, fire);
  timers.clear('a');
  timers.close();
  vi.advanceTimersByTime(20);
  expect(fire).not.toHaveBeenCalled();
});

import { expect, test } from 'vitest';
import { RateLimiter } from './rate-limiter.js';

test('a second of events may go at once, and more waits', () => {
  let now = 0;
  const limiter = new RateLimiter(1_000, () => now);
  expect([500, 500, 500, 500].map((events) => limiter.waitMs(events))).toEqual([0, 0, 500, 1_000]);
  now = 1_500;
  expect(limiter.waitMs(500)).toBe(0);
  now = 100_000; // a pause earns no more than a second
  expect([1_000, 1_000].map((events) => limiter.waitMs(events))).toEqual([0, 1_000]);
});

test('0 is no limit', () => {
  const limiter = new RateLimiter(0, () => 0);
  expect([1e9, 1e9].map((events) => limiter.waitMs(events))).toEqual([0, 0]);
});

import { expect, test } from 'vitest';
import { ServerClock } from './server-clock.js';

test('the clock of the server goes on by a monotonic clock, and old messages do not set it back', () => {
  let now = 5;
  const clock = new ServerClock(() => now);
  expect(clock.now()).toBe(null);
  clock.observe(1_000);
  now += 10;
  expect(clock.now()).toBe(1_010);
  clock.observe(1_005);
  expect(clock.now()).toBe(1_010);
  clock.observe(1_020);
  expect(clock.now()).toBe(1_020);
  clock.set(900); // the own clock was too fast
  expect(clock.now()).toBe(900);
});

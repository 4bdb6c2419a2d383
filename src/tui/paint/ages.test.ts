import { expect, test } from 'vitest';
import { shortCountdown } from './ages.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [-SECOND, '0:00'],
  [45 * SECOND, '0:45'],
  [HOUR - SECOND, '59:59'],
  [HOUR - 1, '1h00m'],
  [HOUR, '1h00m'],
  [9000 * SECOND, '2h30m'],
  [10 * HOUR - 1, '10h'],
  [10 * HOUR, '10h'],
  [99 * HOUR, '99h'],
  [9999 * HOUR, '416d'],
])('shows %i ms as %s', (left, words) => {
  expect(shortCountdown(left, 0)).toBe(words);
  expect(words.length).toBeLessThanOrEqual(5);
});

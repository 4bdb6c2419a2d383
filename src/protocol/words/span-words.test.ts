import { expect, test } from 'vitest';
import { spanWords } from './span-words.js';

test.each([
  [0.9, '0s'],
  [59.9, '59s'],
  [60, '1m'],
  [3_599, '59m'],
  [3_600, '1h'],
  [86_399, '23h'],
  [86_400, '1d'],
  [1e6, '11d'],
])('shows %d seconds as %s', (seconds, words) => {
  expect(spanWords(seconds)).toBe(words);
});

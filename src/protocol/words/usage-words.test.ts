import { expect, test } from 'vitest';
import { costWords, countWords, dollarWords, tokensOf, usageWords } from './usage-words.js';

const usage = { input_tokens: 12_000, output_tokens: 3_400, cached_input_tokens: 9_000, cost_usd: 0.42 };
const NONE = { input_tokens: null, output_tokens: null, cached_input_tokens: null, cost_usd: null };

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1.0k'],
  [9_949, '9.9k'],
  [9_960, '10k'],
  [999_499, '999k'],
  [999_500, '1.0M'],
  [34_000_000, '34M'],
  [1_200_000_000, '1.2B'],
])('shows %d as %s', (count, words) => {
  expect(countWords(count)).toBe(words);
});

test('shows less than a cent as <$0.01, not as zero', () => {
  expect([0, 0.004, 0.01, 12.345].map(dollarWords)).toEqual(['$0.00', '<$0.01', '$0.01', '$12.35']);
});

test('shows the cost, or the tokens that were not cached if there is no price', () => {
  expect(costWords(usage)).toBe('$0.42');
  expect(costWords({ ...usage, cost_usd: null })).toBe('6.4k tok');
  expect(costWords({ ...usage, cost_usd: 0 })).toBe('6.4k tok');
  expect(costWords(NONE)).toBe('');
  expect(costWords(undefined)).toBe('');
});

test('lists all numbers that the agent reported', () => {
  expect(usageWords(usage)).toBe('$0.42, 12k tokens in (9.0k cached), 3.4k out');
  expect(usageWords({ ...NONE, output_tokens: 7, turns: 1 })).toBe('7 tokens out, 1 turn');
});

test('never shows a negative count because of cached tokens', () => {
  expect(tokensOf({ ...usage, input_tokens: 5, cached_input_tokens: 9 })).toBe(3_400);
  expect(tokensOf(NONE)).toBeNull();
});

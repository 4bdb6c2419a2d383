import { expect, test } from 'vitest';
import { compareRecorded, type RecordedText } from './recorded-text.js';

test.each<readonly [typed: string, recorded: string, RecordedText]>([
  // Agents trim, wrap, and join the inputs that came while they worked.
  ['JWT', ' JWT\n', 'whole'],
  ['\u2800exit', '\u2800exit', 'whole'],
  ['one\n  two', 'one\n  two  ', 'whole'],
  ['use redis', 'first this\n\nuse redis\n\nand that', 'whole'],
  ['1', 'approve\n1', 'whole'],
  ['  one\n\n\n  two', 'first\n  one \r\n\n\n  two\n', 'whole'],
  ['    one\n  two', '\n\n<pasted_content>\n    one\n  two\n</pasted_content>\n', 'whole'],
  // A changed copy.
  ['what a face :smi', 'what a face 😄', 'changed'],
  ['retry it', 'etry it', 'changed'],
  ['no', 'o', 'changed'],
  ['use  `a`  and *b*', 'use a and b', 'changed'],
  ['foo bar', 'foobar', 'changed'],
  ['a long answer of which the end is cut off', 'a long answer of which', 'changed'],
  ['if x:\n    go()', 'if x:\n  go()', 'changed'],
  ['one\n\n\ntwo', 'one\n\ntwo', 'changed'],
  ['10\u00a0000', '10 000', 'changed'],
  ['a\tb', 'a b', 'changed'],
  ['ok', 'OK', 'changed'],
  ['x', 'X', 'changed'],
  ['e\u0301', 'é', 'changed'],
  ['\u1112\u1161\u11ab', '한', 'changed'],
  ['…', '...', 'changed'],
  // An answer behind the half-typed words of a person.
  ['redis', 'I thinkredis', 'changed'],
  // Another input.
  ['yes', '<command-name>/clear</command-name>', 'other'],
  ['retry', '[Request interrupted by user]', 'other'],
  ['1', 'Run the first of the 12 tests of this folder again, and say which one of them fails', 'other'],
  ['use PostgreSQL for the orders', 'Which of the two files shall I delete now?', 'other'],
  ['JWT', '', 'other'],
  ['\u2800', 'JWT', 'other'],
])('%j recorded as %j is %s', (typed, recorded, how) => {
  expect(compareRecorded(typed, recorded)).toBe(how);
});

test('compares long texts by their beginning, in a moment', () => {
  const long = Array.from({ length: 200_000 }, (_, at) => `word${at % 977}`).join(' ');
  expect(compareRecorded(long, `${long.slice(0, 100)}x${long.slice(100)}`)).toBe('changed');
  const blank = `a${' '.repeat(200_000)}b`;
  expect(compareRecorded(blank, `${blank}c`)).toBe('changed');
});

test('compares many equal lines in a moment', () => {
  const lines = (count: number): string => 'a\n'.repeat(count);
  expect(compareRecorded(`${lines(25_000)}b`, `${lines(50_000)}b`)).toBe('whole');
  expect(compareRecorded(`${lines(25_000)}b`, `${lines(50_000)}c`)).toBe('changed');
}, 5_000);

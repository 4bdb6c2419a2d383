import { expect, test } from 'vitest';
import { escaped, plain } from './escaped.js';

test('escaped shows every byte unambiguously and without control characters', () => {
  const bytes = Buffer.concat([Buffer.from('é 日\\\x1b[1m\x07\r\n\x9b\u202e\u200e'), Buffer.from([0xff, 0xc3])]);
  expect(escaped(bytes)).toBe('é 日\\\\\\e[1m\\x07\\r\\n\\u{9b}\\u{202e}\\u{200e}\\xff\\xc3');
  expect(escaped(Buffer.from('plain'))).toBe('plain');
});

test('plain drops control sequences, and separates words where the cursor was moved', () => {
  expect(
    plain(Buffer.from('\x1b]0;title\x07\x1b[1mone\x1b[0m\x1b[5Ctwo\r\nthree\x1b[2;1Hfour\x1bP+q\x1b\\\u202e')),
  ).toBe('one two\nthree four');
});

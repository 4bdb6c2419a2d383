import { expect, test } from 'vitest';
import { emulationMs } from './emulation-cost.js';

const CELLS = 100_000;
const cost = (text: string): number => emulationMs(Buffer.from(text), CELLS);

test.each([
  '\x1bc',
  '\x1b#8',
  '\x1b[2J',
  '\x1b[J',
  '\x1b[9S',
  '\x1b[99999L',
  '\x1b[?1049h',
  '\x1b[?47l',
  "\x1b[3'}",
  '\u009b2J',
  '\x1b[2\x07J',
  '\x1b[3 @',
  '\x1b[?01047h',
  '\x1b[?1049;25h',
  '\x1b[?25;4\x077l',
])('counts %j as about one screen', (sequence) => {
  expect(cost(sequence)).toBeGreaterThan(0);
  expect(cost(sequence.repeat(7))).toBeCloseTo(7 * cost(sequence));
});

test('counts a repeated character as more than an erased screen', () => {
  expect(cost('x\x1b[999999b')).toBeGreaterThan(cost('\x1b[2J'));
});

test('counts an incomplete sequence', () => {
  for (const cut of ['text\x1b', 'text\x1b[', 'text\x1b[2', '\u009b1']) expect(cost(cut)).toBeGreaterThan(0);
});

test('counts each switch of the screen', () => {
  expect(cost('\x1b[?1049;47;25;1047h')).toBeCloseTo(3 * cost('\x1b[?1049h'));
});

test.each([
  'some text\r\n',
  '\x1b[1;31m',
  '\x1b[K',
  '\x1b[3;5H',
  '\x1b]0;a title\x07',
  'ä漢🙂',
  '\x1b[?25l',
  '\x1b[?2026h',
  '\x1b[?1000;1006h',
  '\x1b[?1048l',
  '\x1b[47h',
  '\x1b[?10490h',
])('counts %j as no more than its bytes', (text) => {
  expect(cost(text)).toBe(0);
});

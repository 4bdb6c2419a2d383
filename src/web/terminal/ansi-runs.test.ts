import { expect, test } from 'vitest';
import { partOf, runsOf } from './ansi-runs.js';

const COLOURS = {
  foreground: 'fg',
  background: 'bg',
  ansi: Array.from({ length: 16 }, (_, at) => `c${at}`),
};
const runs = (row: string) =>
  runsOf(row, COLOURS).map(({ text, x, foreground, background }) => [text, x, foreground, background]);

test('returns one run for a plain row', () => {
  expect(runs('hello')).toEqual([['hello', 0, null, null]]);
});

test('resolves colours of all three palettes and their resets', () => {
  expect(runs('\x1b[31ma\x1b[94mb\x1b[38;5;196mc\x1b[48;2;1;2;3md\x1b[39;49me\x1b[0m')).toEqual([
    ['a', 0, 'c1', null],
    ['b', 1, 'c12', null],
    ['c', 2, '#ff0000', null],
    ['d', 3, '#ff0000', '#010203'],
    ['e', 4, null, null],
  ]);
});

test('swaps colours for inverse text, including default ones', () => {
  expect(runs('\x1b[7ma\x1b[31mb\x1b[27mc')).toEqual([
    ['a', 0, 'bg', 'fg'],
    ['b', 1, 'bg', 'c1'],
    ['c', 2, 'c1', null],
  ]);
});

test('counts two columns for wide characters', () => {
  expect(runs('漢\x1b[1m字x').map(([text, x]) => [text, x])).toEqual([
    ['漢', 0],
    ['字x', 2],
  ]);
});

test('replaces hidden text by blanks, and ignores other sequences', () => {
  expect(runs('\x1b[8mab\x1b[28mc\x1b[2Kd\x1b').map(([text, x]) => [text, x])).toEqual([
    ['  ', 0],
    ['c', 2],
    ['d', 3],
  ]);
});

test('partOf shows the last rows with text, not the blank rest of a large screen', () => {
  const rows = Array.from({ length: 50 }, (_, at) => (at < 30 ? `row ${at}` : ''));
  expect(partOf(rows, { cols: 200, rows: 50 })).toEqual({ first: 10, size: { cols: 90, rows: 20 } });
  expect(partOf(['a', '', ''], { cols: 40, rows: 3 })).toEqual({ first: 0, size: { cols: 40, rows: 3 } });
});

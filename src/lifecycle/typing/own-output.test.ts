import { expect, it } from 'vitest';
import { OwnOutput } from './own-output.js';

/** Shows these rows, one look per second. Returns true if the program prints by itself after the last look. */
function printsAfter(...looks: readonly (readonly string[])[]): boolean {
  const own = new OwnOutput(0);
  for (const [at, rows] of looks.entries()) own.look(rows, at * 1_000, false);
  return own.isPrinting((looks.length - 1) * 1_000);
}

it('sees rows of words that come one after the other', () => {
  expect(printsAfter(['one'], ['one', 'two'], ['one', 'two', 'three'])).toBe(true);
});

it('does not count one change, clocks and counters, or what a key may have caused', () => {
  expect(printsAfter(['one'], ['one', 'two'], ['one', 'two'])).toBe(false);
  expect(printsAfter(['12:00:01 | 5%'], ['12:00:02 / 6%'], ['12:00:03 - 7%'])).toBe(false);
  const own = new OwnOutput(0);
  for (const [at, rows] of [['one'], ['two'], ['three']].entries()) own.look(rows, at * 1_000, true);
  expect(own.isPrinting(2_000)).toBe(false);
});

it('forgets the output after 15 seconds', () => {
  const own = new OwnOutput(0);
  for (const [at, rows] of [['one'], ['two'], ['three']].entries()) own.look(rows, at * 1_000, false);
  expect([16_000, 16_001].map((now) => own.isPrinting(now))).toEqual([true, false]);
});

it('knows when the program printed last, with and without an open question', () => {
  const own = new OwnOutput(1_000);
  expect(own.printedAt).toBe(1_000);
  own.noteOutput(2_000);
  expect(own.printedAt).toBe(2_000);
  for (const [at, rows] of [['one'], ['one'], ['one', 'two'], ['one', 'two']].entries())
    own.look(rows, 3_000 + at * 1_000, false);
  expect(own.printedAt).toBe(5_000);
});

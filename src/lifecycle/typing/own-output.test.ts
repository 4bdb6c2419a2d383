import { expect, it } from 'vitest';
import { OwnOutput } from './own-output.js';

/** Shows these rows, one look per second. Returns true if the program prints by itself after the last look. */
function printsAfter(...looks: readonly (readonly string[])[]): boolean {
  const own = new OwnOutput();
  for (const [at, rows] of looks.entries()) own.look(rows, at * 1_000, false);
  return own.isPrinting((looks.length - 1) * 1_000);
}

it('sees rows of words that come one after the other', () => {
  expect(printsAfter(['one'], ['one', 'two'], ['one', 'two', 'three'])).toBe(true);
});

it('does not count one change, clocks and counters, or what a key may have caused', () => {
  expect(printsAfter(['one'], ['one', 'two'], ['one', 'two'])).toBe(false);
  expect(printsAfter(['12:00:01 | 5%'], ['12:00:02 / 6%'], ['12:00:03 - 7%'])).toBe(false);
  const own = new OwnOutput();
  for (const [at, rows] of [['one'], ['two'], ['three']].entries()) own.look(rows, at * 1_000, true);
  expect(own.isPrinting(2_000)).toBe(false);
});

it('forgets the output after 15 seconds', () => {
  const own = new OwnOutput();
  for (const [at, rows] of [['one'], ['two'], ['three']].entries()) own.look(rows, at * 1_000, false);
  expect([16_000, 16_001].map((now) => own.isPrinting(now))).toEqual([true, false]);
});

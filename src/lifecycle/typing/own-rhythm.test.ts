import { expect, it } from 'vitest';
import { OwnRhythm } from './own-rhythm.js';

/** Returns the seconds, of the 30 after an Enter, from which the rows count as a reaction; null if they never do. */
function excludedAt(printedAt: number, ...changes: readonly number[]): number | null {
  const rhythm = new OwnRhythm(printedAt * 1_000);
  const left = [...changes];
  for (let now = 0; now <= 30; now = Math.round((now + 0.1) * 10) / 10) {
    while (left[0] !== undefined && left[0] <= now) rhythm.changed((left.shift() ?? 0) * 1_000);
    if (left.length < changes.length && rhythm.isReaction(now * 1_000)) return now;
  }
  return null;
}
const every = (seconds: number, from: number): number[] =>
  Array.from({ length: 100 }, (_, at) => from + at * seconds).filter((at) => at <= 30);

it.each([2, 2.5, 3, 4, 8])('a program that prints each %d s by itself goes on in its rhythm', (seconds) => {
  for (const typedAfter of [0.7, 1.5, seconds - 0.1].filter((one) => one < seconds))
    expect(excludedAt(-typedAfter, ...every(seconds, seconds - typedAfter)), `${typedAfter}`).toBeNull();
});

it('a program that prints at odd times by itself goes on in its rhythm', () => {
  const times = [1.1, 3.4, 5.2, 9.1, 11.5, 15, 17.2, 19.3, 23.2, 25.6, 29.4];
  expect(excludedAt(-1, ...times)).toBeNull();
  expect(excludedAt(-1, ...times.flatMap((at) => [at, at + 0.1, at + 0.3]))).toBeNull();
});

it('a program that was silent before, prints a stream, or rests for long has reacted', () => {
  expect(excludedAt(-15, 0.4)).toBe(0.4);
  expect(excludedAt(-1, ...every(0.3, 0.4))).toBe(3.4);
  expect(excludedAt(-1, 0.4)).toBe(6.4);
  expect(excludedAt(-3, 0.4, 0.6, 3)).toBe(11.5);
});

import { expect, test } from 'vitest';
import { createRandom } from '../../../test/harness/random.js';
import { FlowWindow } from '../../host/output/flow-window.js';
import { Progress } from './progress.js';

const PRINTED = 2 * 1024 * 1024;

/**
 * Lets a program print while the daemon reads in steps and stalls at random, for example because the computer sleeps.
 * @returns Number of bytes that the daemon has read when neither side can go on.
 */
function readAll(seed: number): number {
  const random = createRandom(seed);
  let clock = 0;
  const window = new FlowWindow(() => clock);
  const progress = new Progress(() => clock);
  let [printed, read, taken] = [0, 0, 0];
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false;
    while (printed < PRINTED && printed - taken < window.bytes && (!hasMoved || random.below(8) > 0)) {
      printed += 1 + random.below(4096);
      hasMoved = true;
    }
    while (read < printed) {
      read = Math.min(printed, read + 1 + random.below(16 * 1024));
      clock += random.below(20) === 0 ? random.below(10_000) : random.below(20);
      if (!progress.isDue(read, printed - read)) continue;
      taken = read;
      window.took(taken, printed - taken);
      hasMoved = true;
      if (random.below(4) === 0) break;
    }
  }
  return read;
}

test('a program is read to its end, however long the daemon stalls', () => {
  for (let seed = 1; seed <= 200; seed++) expect(readAll(seed), `seed ${seed}`).toBeGreaterThanOrEqual(PRINTED);
});

test('reports rarely while much waits, and at least four times a second if reading is slow', () => {
  let clock = 1000;
  const progress = new Progress(() => clock);
  expect(progress.isDue(1024, 1e6)).toBe(true); // nothing was reported in the last 250 ms
  clock += 10;
  expect(progress.isDue(60 * 1024, 1e6)).toBe(false);
  expect(progress.isDue(65 * 1024, 1e6)).toBe(true);
  clock += 250;
  expect(progress.isDue(66 * 1024, 1e6)).toBe(true);
  expect(progress.isDue(66 * 1024 + 100, 0)).toBe(false);
});

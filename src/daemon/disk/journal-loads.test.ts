import { expect, test } from 'vitest';
import { createJournalLoads } from './journal-loads.js';

test('reports the rate of a growing journal and none for one at rest, and measures its folder once', () => {
  let [time, measurements] = [0, 0];
  const loads = createJournalLoads(
    () => {
      measurements++;
      return 500;
    },
    () => time,
  );
  expect(loads.of('s', 1000)).toEqual({ bytes: 500, bytes_per_second: 0 });
  for (let n = 1; n <= 30; n++) {
    time += 100;
    loads.grew('s', 1000 + n * 800);
  }
  expect(loads.of('s', 25_000)).toEqual({ bytes: 24_500, bytes_per_second: 8000 });
  time += 60_000;
  loads.of('s', 25_000);
  time += 2_000;
  expect(loads.of('s', 25_000).bytes_per_second).toBe(0);
  expect(measurements).toBe(1);
});

test('measures a journal again after it was cut', () => {
  let bytes = 500;
  const loads = createJournalLoads(
    () => bytes,
    () => 0,
  );
  loads.of('s', 1000);
  bytes = 100;
  loads.wasCut('s');
  expect(loads.of('s', 2000).bytes).toBe(100);
});

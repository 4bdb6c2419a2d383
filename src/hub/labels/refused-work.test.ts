import { expect, test } from 'vitest';
import { MAX_OF_SENDER, RefusedWork } from './refused-work.js';

test('refused work is looked at again after pauses that grow up to 10 minutes', () => {
  const refused = new RefusedWork();
  const pauses = [1, 2, 3, 4, 5, 6, 7, 1_000].map((deliveries) => refused.pauseMs('laptop', 'run_1', deliveries, 0));
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600, 600].map((seconds) => seconds * 1_000));
});

test('one sender keeps a limited number of refused pieces in the queue, and holds up no other sender', () => {
  const refused = new RefusedWork();
  for (let at = 0; at < MAX_OF_SENDER; at++) expect(refused.pauseMs('mallory', `run_${at}`, 1, 0)).toBe(30_000);
  expect(refused.pauseMs('mallory', 'run_more', 1, 0)).toBe(null);
  expect(refused.pauseMs('mallory', 'run_7', 2, 0)).toBe(60_000); // known already
  expect(refused.pauseMs('laptop', 'run_1', 1, 0)).toBe(30_000);
});

test('pieces that another machine has taken stop counting', () => {
  const refused = new RefusedWork();
  for (let at = 0; at < MAX_OF_SENDER; at++) refused.pauseMs('laptop', `run_${at}`, 1, 0);
  expect(refused.pauseMs('laptop', 'run_more', 1, 60_000)).toBe(null);
  expect(refused.pauseMs('laptop', 'run_more', 1, 60_001)).toBe(30_000);
});

test('a limited number of senders is remembered', () => {
  const refused = new RefusedWork();
  for (let at = 0; at < 1_000; at++) expect(refused.pauseMs(`m${at}`, 'run_1', 1, 0)).toBe(30_000);
  expect(refused.pauseMs('another', 'run_1', 1, 0)).toBe(null);
  expect(refused.pauseMs('another', 'run_1', 1, 60_001)).toBe(30_000);
});

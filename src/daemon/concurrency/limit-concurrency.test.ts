import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.js';

test('runs at most two tasks at a time, in order, and goes on after one fails', async () => {
  const runLimited = limitConcurrency(2);
  const started: number[] = [];
  let most = 0;
  let now = 0;
  const work = (n: number) => async () => {
    started.push(n);
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    if (n === 1) throw new Error('no');
    return n;
  };
  const done = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => runLimited(work(n))));
  expect(done.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([0, 'failed', 2, 3, 4]);
  expect([started, most]).toEqual([[0, 1, 2, 3, 4], 2]);
  expect(await runLimited(work(5))).toBe(5);
});

import { expect, test } from 'vitest';
import { fewAtATime } from './few-at-a-time.js';

test('no more than so many are under way, all come to their turn in order, and one that fails holds up nobody', async () => {
  const inTurn = fewAtATime(2);
  const begun: number[] = [];
  let most = 0;
  let now = 0;
  const work = (n: number) => async () => {
    begun.push(n);
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    if (n === 1) throw new Error('no');
    return n;
  };
  const done = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => inTurn(work(n))));
  expect(done.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([0, 'failed', 2, 3, 4]);
  expect([begun, most]).toEqual([[0, 1, 2, 3, 4], 2]);
  expect(await inTurn(work(5))).toBe(5);
});

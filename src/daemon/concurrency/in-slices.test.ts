import { expect, test } from 'vitest';
import { inSlices } from './in-slices.js';

test('other work has its turn between two slices', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other'));
  let slices = 0;
  await inSlices((isOver) => {
    while (!isOver()); // a slice ends by itself
    order.push('slice');
    return ++slices === 2;
  });
  expect(order).toEqual(['slice', 'other', 'slice']);
});

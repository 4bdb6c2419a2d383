import { expect, test } from 'vitest';
import { inOrder } from './in-order.js';

test('known entries keep their places, and new ones come last in their own order', () => {
  const entries = ['new-b', 'c', 'a', 'new-a', 'b'];
  expect(inOrder(entries, (entry) => entry, ['a', 'b', 'gone', 'c'])).toEqual(['a', 'b', 'c', 'new-b', 'new-a']);
  expect(inOrder(entries, (entry) => entry, [])).toEqual(entries);
});

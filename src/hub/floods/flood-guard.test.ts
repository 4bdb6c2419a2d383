import { expect, test } from 'vitest';
import { FloodGuard } from './flood-guard.js';

const LIMIT = { burst: 3, perSecond: 2 };
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test('one machine is limited, and another one is not', () => {
  const guard = new FloodGuard(() => 0);
  const admitted = times(6).map(() => guard.admit('mallory', LIMIT));
  expect(admitted).toEqual(['read', 'read', 'read', 'flooded', 'unread', 'unread']);
  expect(guard.admit('laptop', LIMIT)).toBe('read');
  expect(guard.floods()).toEqual([{ machine: 'mallory', count: 3 }]);
});

test('messages are read again as time passes, and a flood is told for ten minutes', () => {
  let now = 0;
  const guard = new FloodGuard(() => now);
  for (const _ of times(4)) guard.admit('mallory', LIMIT);
  now = 1_000;
  expect(times(3).map(() => guard.admit('mallory', LIMIT))).toEqual(['read', 'read', 'unread']);
  now = 601_000;
  expect(guard.floods()).toEqual([{ machine: 'mallory', count: 2 }]);
  now = 601_001;
  expect(guard.floods()).toEqual([]);
  expect(times(4).map(() => guard.admit('mallory', LIMIT))).toEqual(['read', 'read', 'read', 'flooded']);
});

test('a limited number of machines is remembered', () => {
  const guard = new FloodGuard(() => 0);
  for (const at of times(1_000)) guard.admit(`m${at}`, LIMIT);
  const admitted = times(10).map((at) => guard.admit(`other${at}`, LIMIT));
  expect(admitted.filter((one) => one === 'read')).toHaveLength(3);
});

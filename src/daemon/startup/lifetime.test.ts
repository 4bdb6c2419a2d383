import { expect, test } from 'vitest';
import { Lifetime } from './lifetime.js';

test('stops all parts before it closes any, and closes the last built part first', async () => {
  const calls: string[] = [];
  const lifetime = new Lifetime({ info: (reason) => calls.push(reason) }, () => calls.push('exit'));
  for (const part of ['store', 'sessions', 'server']) {
    lifetime.onStop(() => calls.push(`${part} stops`));
    lifetime.onClose(async () => {
      await Promise.resolve();
      calls.push(`${part} closed`);
    });
  }
  await lifetime.end('stopped by request');
  expect(calls).toEqual([
    'stopped by request',
    'store stops',
    'sessions stops',
    'server stops',
    'server closed',
    'sessions closed',
    'store closed',
    'exit',
  ]);
  expect(lifetime.isStopping).toBe(true);
});

import { expect, test } from 'vitest';
import { Lifetime } from './lifetime.js';

test('all parts stop deciding before any is closed, and those that were built last are closed first', async () => {
  const told: string[] = [];
  const lifetime = new Lifetime({ info: (reason) => told.push(reason) }, () => told.push('exit'));
  for (const part of ['store', 'sessions', 'server']) {
    lifetime.onStop(() => told.push(`${part} stops`));
    lifetime.onClose(async () => {
      await Promise.resolve();
      told.push(`${part} closed`);
    });
  }
  await lifetime.end('stopped by request');
  expect(told).toEqual([
    ...['stopped by request', 'store stops', 'sessions stops', 'server stops'],
    ...['server closed', 'sessions closed', 'store closed', 'exit'],
  ]);
  expect(lifetime.isStopping).toBe(true);
});

import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { OrchdError } from '../../protocol/index.js';
import { createDiskWatch, namingFullDisk } from './disk-watch.js';

const MB = 1_000_000;
const stateOf = (freeBytes: number, totalBytes: number, isFull = false): string =>
  createDiskWatch({
    ...{ path: '/x', outbox: { isFull }, minFreeBytes: 100 * MB },
    space: () => ({ freeBytes, totalBytes }),
  }).report().state;

test('a disk is full when the store cannot commit, or when next to nothing is free', () => {
  expect(stateOf(10_000 * MB, 20_000 * MB, true)).toBe('full');
  expect(stateOf(1000, 20_000 * MB)).toBe('full');
});

test('it is low below the floor, which is smaller on a small disk', () => {
  expect(stateOf(99 * MB, 20_000 * MB)).toBe('low');
  expect(stateOf(101 * MB, 20_000 * MB)).toBe('ok');
  expect(stateOf(10 * MB, 24 * MB)).toBe('ok');
  expect(stateOf(1 * MB, 24 * MB)).toBe('low');
});

test('where the system does not say how much is free, nothing is said', () => {
  const watch = createDiskWatch({ path: '/x', outbox: { isFull: false }, minFreeBytes: MB, space: () => null });
  expect(watch.report().state).toBe('ok');
});

test('an error for want of space says so, whatever it was about; others stay', () => {
  const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(namingFullDisk(noSpace, '/tmp')).toMatchObject({ code: 'ORCHD_STORE_FULL' });
  for (const [code, words] of Object.entries({ EROFS: 'is read-only', EIO: 'an I/O error' })) {
    const cause = Object.assign(new Error(`${code}: write`), { code });
    expect(namingFullDisk(cause, '/tmp')).toMatchObject({
      code: 'ORCHD_FILE',
      message: expect.stringContaining(words),
    });
  }
  const unnamed = { code: 'UNKNOWN', errno: -constants.errno.EDQUOT };
  const quota = Object.assign(new Error('UNKNOWN: unknown error, write'), unnamed);
  expect(namingFullDisk(quota, '/tmp')).toMatchObject({ code: 'ORCHD_STORE_FULL' });
  const other = new OrchdError('ORCHD_STORE_LOCKED', 'used by another process');
  expect(namingFullDisk(other, '/tmp')).toBe(other);
});

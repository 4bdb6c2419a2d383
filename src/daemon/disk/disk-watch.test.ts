import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { OrchdError } from '../../protocol/index.js';
import { createDiskWatch, namingFullDisk } from './disk-watch.js';

const MB = 1_000_000;
const stateOf = (freeBytes: number, totalBytes: number, isFull = false): string =>
  createDiskWatch({
    path: '/x',
    outbox: { isFull },
    minFreeBytes: 100 * MB,
    space: () => ({ freeBytes, totalBytes, freeFiles: 5e5, totalFiles: 1e6 }),
  }).report().state;
const filesOf = (freeFiles: number, totalFiles: number) =>
  createDiskWatch({
    path: '/x',
    outbox: { isFull: false },
    minFreeBytes: 100 * MB,
    space: () => ({ freeBytes: 1e10, totalBytes: 1e11, freeFiles, totalFiles }),
  }).report().files;

test('reports a disk as full if the store cannot commit or almost nothing is free', () => {
  expect(stateOf(10_000 * MB, 20_000 * MB, true)).toBe('full');
  expect(stateOf(1000, 20_000 * MB)).toBe('full');
});

test('reports a disk as low below a floor, which is lower on a small disk', () => {
  expect(stateOf(99 * MB, 20_000 * MB)).toBe('low');
  expect(stateOf(101 * MB, 20_000 * MB)).toBe('ok');
  expect(stateOf(10 * MB, 24 * MB)).toBe('ok');
  expect(stateOf(1 * MB, 24 * MB)).toBe('low');
});

test('reports inodes separately from bytes if the file system limits them', () => {
  expect(filesOf(5e5, 1e6)).toEqual({ state: 'ok', free: 5e5 });
  expect(filesOf(999, 1e6)).toEqual({ state: 'low', free: 999 });
  expect(filesOf(200, 2_000)).toEqual({ state: 'ok', free: 200 });
  expect(filesOf(15, 2_000)).toEqual({ state: 'full', free: 15 });
  expect(filesOf(0, 0)).toBeUndefined();
});

test('reports ok if the system does not say how much is free', () => {
  const watch = createDiskWatch({ path: '/x', outbox: { isFull: false }, minFreeBytes: MB, space: () => null });
  expect(watch.report().state).toBe('ok');
});

test('maps errors for lack of space to ORCHD_STORE_FULL, other disk errors to ORCHD_FILE, and keeps the rest', () => {
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

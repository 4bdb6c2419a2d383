import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RESTORE_MS, RestingSizes } from './resting-sizes.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const WIDE = { cols: 120, rows: 40 };
const CELL = { cols: 29, rows: 4 };

test('restores the earlier size after a small client has left', () => {
  const sizes = new RestingSizes();
  const restore = vi.fn();
  sizes.take('ses_a', WIDE);
  sizes.leave('ses_a', CELL, restore);
  vi.advanceTimersByTime(RESTORE_MS - 1);
  expect(restore).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(restore).toHaveBeenCalledExactlyOnceWith(WIDE);
});

test('keeps the first size while clients come and go, and restores nothing while one is there', () => {
  const sizes = new RestingSizes();
  const restore = vi.fn();
  sizes.take('ses_a', WIDE);
  sizes.leave('ses_a', CELL, restore);
  sizes.take('ses_a', CELL);
  vi.advanceTimersByTime(2 * RESTORE_MS);
  expect(restore).not.toHaveBeenCalled();
  sizes.leave('ses_a', CELL, restore);
  vi.advanceTimersByTime(RESTORE_MS);
  expect(restore).toHaveBeenCalledExactlyOnceWith(WIDE);
});

test('keeps the size of a client that is large enough, and forgets a session that has ended', () => {
  const sizes = new RestingSizes();
  const restore = vi.fn();
  sizes.take('ses_a', WIDE);
  sizes.leave('ses_a', { cols: 80, rows: 23 }, restore);
  sizes.take('ses_b', WIDE);
  sizes.leave('ses_b', CELL, restore);
  sizes.forget('ses_b');
  vi.advanceTimersByTime(2 * RESTORE_MS);
  expect(restore).not.toHaveBeenCalled();
});

import { expect, test } from 'vitest';
import { FLOW_WINDOW_BYTES, MIN_WINDOW_BYTES } from '../contract.js';
import { FIRST_WINDOW_BYTES, FlowWindow } from './flow-window.js';

/**
 * Returns the window after a daemon has read this many bytes per second, in steps of 64 KiB, while much waits for it.
 */
function windowAt(bytesInSecond: number, window: FlowWindow, clock: { ms: number }, from: number): number {
  const step = 64 * 1024;
  for (let taken = from; taken < from + 40 * step; taken += step) {
    clock.ms += (step / bytesInSecond) * 1000;
    window.took(taken + step, FLOW_WINDOW_BYTES);
  }
  return window.bytes;
}

test('adapts the window to the bytes that the daemon reads in a second, within bounds', () => {
  const clock = { ms: 0 };
  const window = new FlowWindow(() => clock.ms);
  expect(window.bytes).toBe(FIRST_WINDOW_BYTES);
  expect(windowAt(5e6, window, clock, 0)).toBe(FLOW_WINDOW_BYTES);
  expect(windowAt(20_000, window, clock, 5e6)).toBe(MIN_WINDOW_BYTES);
  expect(windowAt(200_000, window, clock, 1e7)).toBeGreaterThan(190_000);
  expect(windowAt(200_000, window, clock, 2e7)).toBeLessThan(210_000);
  expect(windowAt(5e6, window, clock, 3e7)).toBe(FLOW_WINDOW_BYTES);
});

test('keeps the window while a program prints little', () => {
  const clock = { ms: 0 };
  const window = new FlowWindow(() => clock.ms);
  for (let taken = 0; taken < 1e6; taken += 1000) {
    clock.ms += 1000;
    window.took(taken, 0);
  }
  expect(window.bytes).toBe(FIRST_WINDOW_BYTES);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDiskBrake, type DiskBrake } from './disk-brake.js';

const FLOOR = 1000;
let free: number;
let rates: Record<string, number>;
let told: string[];
let brake: DiskBrake;

beforeEach(() => {
  vi.useFakeTimers();
  free = 10_000;
  rates = { quiet: 10, loud: 100_000, louder: 8_000_000 };
  told = [];
  brake = createDiskBrake({
    report: () => ({ state: free < FLOOR ? 'low' : 'ok', free_bytes: free, floor_bytes: FLOOR }),
    rates: () => Object.entries(rates).map(([sessionId, bytesPerSecond]) => ({ sessionId, bytesPerSecond })),
    onChange: (id, isPaused, count) => told.push(`${id} ${isPaused ? 'waits' : 'goes on'}, ${count}`),
  });
});
afterEach(() => {
  brake.close();
  vi.useRealTimers();
});

test('the loudest is paused first, a quiet one never, and they go on once there is space', async () => {
  free = 500;
  brake.grew();
  vi.advanceTimersByTime(500);
  expect(told).toEqual(['louder waits, 1']);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['louder waits, 1', 'loud waits, 2']);
  expect(brake.whenFree('quiet')).toBeNull();
  const freed = brake.whenFree('louder');
  free = 1_100; // enough, but they would be paused again at once
  vi.advanceTimersByTime(5_000);
  expect(told).toHaveLength(2);
  free = 5_000;
  vi.advanceTimersByTime(5_000);
  expect(told.slice(2)).toEqual(['loud goes on, 1', 'louder goes on, 0']);
  await freed;
  expect(vi.getTimerCount()).toBe(0);
});

test('a session that ends is let go, and not paused again', async () => {
  free = 500;
  brake.grew();
  vi.advanceTimersByTime(500);
  const freed = brake.whenFree('louder');
  brake.release('louder');
  await freed;
  rates = { louder: 8_000_000 };
  brake.grew();
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['louder waits, 1', 'louder goes on, 0']);
});

test('with enough space nothing is paused, and no timer stays', () => {
  brake.grew();
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

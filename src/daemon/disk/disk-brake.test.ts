import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDiskBrake, type DiskBrake } from './disk-brake.js';

const FLOOR = 1000;
let free: number;
let rates: Record<string, number>;
let changes: string[];
let brake: DiskBrake;

beforeEach(() => {
  vi.useFakeTimers();
  free = 10_000;
  rates = { quiet: 10, loud: 100_000, louder: 8_000_000 };
  changes = [];
  brake = createDiskBrake({
    report: () => ({ state: free < FLOOR ? 'low' : 'ok', free_bytes: free, floor_bytes: FLOOR }),
    rates: () => Object.entries(rates).map(([sessionId, bytesPerSecond]) => ({ sessionId, bytesPerSecond })),
    onChange: (id, isPaused, count) => changes.push(`${id} ${isPaused ? 'waits' : 'goes on'}, ${count}`),
  });
});
afterEach(() => {
  brake.close();
  vi.useRealTimers();
});

test('pauses the loudest sessions first and never a quiet one, and resumes all once there is space', async () => {
  free = 500;
  brake.grew();
  vi.advanceTimersByTime(500);
  expect(changes).toEqual(['louder waits, 1']);
  vi.advanceTimersByTime(5_000);
  expect(changes).toEqual(['louder waits, 1', 'loud waits, 2']);
  expect(brake.whenFree('quiet')).toBeNull();
  const freed = brake.whenFree('louder');
  free = 1_100; // enough, but they would be paused again at once
  vi.advanceTimersByTime(5_000);
  expect(changes).toHaveLength(2);
  free = 5_000;
  vi.advanceTimersByTime(5_000);
  expect(changes.slice(2)).toEqual(['loud goes on, 1', 'louder goes on, 0']);
  await freed;
  expect(vi.getTimerCount()).toBe(0);
});

test('releases a session that ends, and does not pause it again', async () => {
  free = 500;
  brake.grew();
  vi.advanceTimersByTime(500);
  const freed = brake.whenFree('louder');
  brake.release('louder');
  await freed;
  rates = { louder: 8_000_000 };
  brake.grew();
  vi.advanceTimersByTime(5_000);
  expect(changes).toEqual(['louder waits, 1', 'louder goes on, 0']);
});

test('pauses nothing and keeps no timer while there is enough space', () => {
  brake.grew();
  vi.advanceTimersByTime(5_000);
  expect(changes).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

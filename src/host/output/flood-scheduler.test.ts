/** Tests which floods are read while a person types, and that all are read again afterwards. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Beat, SHORT_BEAT_MS } from './beat.js';
import { type Flood, FloodScheduler, TURN_BYTES, WAITING_MS } from './flood-scheduler.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const CHUNK = 4095;

function open(most: number) {
  const beat = new Beat({ isWatching: () => true, onSettled: () => {}, afterReads: (settle) => settle() });
  const scheduler = new FloodScheduler({ beat, most });
  const flood = (mayRead = true) => {
    const one = {
      isRead: true,
      bytes: 0,
      onTurn() {
        one.isRead = mayRead;
        return mayRead;
      },
    };
    return one satisfies Flood;
  };
  /** Reads each flood that may be read, once. */
  const read = (floods: readonly ReturnType<typeof flood>[]) => {
    for (const one of floods) {
      if (!one.isRead) continue;
      one.bytes += CHUNK;
      one.isRead = scheduler.take(one, CHUNK);
    }
  };
  return { scheduler, flood, read };
}

test('reads all floods while nobody types', () => {
  const { scheduler, flood, read } = open(1);
  const floods = [flood(), flood(), flood()];
  read(floods);
  expect(floods.every(({ isRead }) => isRead)).toBe(true);
  scheduler.personWaits();
  vi.advanceTimersByTime(WAITING_MS);
  read(floods);
  expect(floods.every(({ isRead }) => isRead)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('reads as many floods as allowed after a key, and each in its turn', () => {
  const { scheduler, flood, read } = open(2);
  const floods = [flood(), flood(), flood(), flood(), flood()];
  scheduler.personWaits();
  const rounds = 100;
  for (let n = 0; n < rounds; n++) {
    read(floods);
    expect(floods.filter(({ isRead }) => isRead).length).toBe(2);
  }
  const bytes = floods.map((one) => one.bytes);
  expect(Math.max(...bytes) - Math.min(...bytes)).toBeLessThan(2 * TURN_BYTES);
});

test('reads every flood again when nobody types any more', () => {
  const { scheduler, flood, read } = open(1);
  const floods = [flood(), flood(), flood()];
  scheduler.personWaits();
  read(floods);
  expect(floods.map(({ isRead }) => isRead)).toEqual([true, false, false]);
  for (let ms = 0; ms < WAITING_MS + SHORT_BEAT_MS; ms += SHORT_BEAT_MS) {
    read(floods.slice(0, 1));
    vi.advanceTimersByTime(SHORT_BEAT_MS);
  }
  expect(floods.every(({ isRead }) => isRead)).toBe(true);
  vi.advanceTimersByTime(10 * SHORT_BEAT_MS);
  expect(vi.getTimerCount()).toBe(0);
});

test('passes the turn of a flood on that stopped printing', () => {
  const { scheduler, flood, read } = open(1);
  const [first, second] = [flood(), flood()];
  scheduler.personWaits();
  read([first, second]);
  expect(second.isRead).toBe(false);
  vi.advanceTimersByTime(2 * SHORT_BEAT_MS);
  expect(second.isRead).toBe(true);
});

test('passes the turn on if a flood leaves, and leaves out one that flow control pauses', () => {
  const { scheduler, flood, read } = open(1);
  const [first, paused, third] = [flood(), flood(false), flood()];
  scheduler.personWaits();
  read([first, paused, third]);
  scheduler.leave(first);
  expect([paused.isRead, third.isRead]).toEqual([false, true]);
});

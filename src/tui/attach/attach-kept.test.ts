import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SEEING_MS } from '../model/timing.js';
import { KeptScreen } from './attach-kept.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the last screen of an ended program with its keys accepted, and what the person's keys have decided. */
function open() {
  const decided: string[] = [];
  const call = () => {
    decided.push('restart');
    return new Promise<never>(() => {});
  };
  const view = { send: () => {}, setStanding: () => {}, say: () => {}, window: () => ({ cols: 80, rows: 24 }) };
  const kept = new KeptScreen({
    client: { call },
    view,
    exit: { state: 'exited', exitCode: 0, signal: null },
    isReadOnly: false,
    env: {},
    sessionId: 'ses_1',
  } as unknown as ConstructorParameters<typeof KeptScreen>[0]);
  vi.advanceTimersByTime(SEEING_MS);
  void kept.over.then(() => decided.push('leave'));
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      kept.push(Buffer.from(key));
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(1_000);
  };
  return { press, decided };
}

test.each([
  ['q', 'leave'],
  ['r', 'restart'],
  ['\r', 'leave'],
  ['\x03', 'leave'],
])('the key %j alone decides: %s', async (key, what) => {
  const { press, decided } = open();
  await press(key);
  expect(decided).toEqual([what]);
});

test.each(['quit\r', 'request\r', 'for\r', 'rr'])('letters of a word decide nothing: %j', async (word) => {
  const { press, decided } = open();
  await press(...word);
  expect(decided).toEqual([]);
  await press('q');
  expect(decided).toEqual(['leave']);
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from '../log.js';
import { HearingGuard } from './hearing-guard.js';

const LOG: Log = { info: () => {}, error: () => {} };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-guard-'));
  new HearingGuard(dir, LOG); // simulates a daemon that dies without closing its guard
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Simulates a daemon that dies while it reads this record. */
const dieIn = (position: number, end = position + 100, sessionId = 'ses_a'): HearingGuard => {
  const guard = new HearingGuard(dir, LOG);
  const watch = guard.watch(sessionId);
  expect(watch).toBeDefined();
  watch?.({ position, end });
  return guard;
};

test('skips a record after three starts died in it', () => {
  for (let time = 1; time <= 3; time++) {
    dieIn(7, 50);
    expect(new HearingGuard(dir, LOG).due).toEqual(time < 3 ? [] : [{ sessionId: 'ses_a', from: 7, to: 50 }]);
  }
  new HearingGuard(dir, LOG).passedOver('ses_a');
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
});

test('counts records close to each other as one place', () => {
  dieIn(1000);
  dieIn(500);
  dieIn(2000);
  expect(new HearingGuard(dir, LOG).due).toEqual([{ sessionId: 'ses_a', from: 500, to: 2100 }]);
});

test('skips nothing if the starts died in different places or different sessions', () => {
  for (const position of [0, 10_000_000, 20_000_000]) dieIn(position);
  dieIn(7, 9, 'ses_b');
  dieIn(7, 9, 'ses_b');
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
});

test('forgets the deaths of a session once it is read to its end', () => {
  dieIn(7);
  dieIn(7);
  const guard = new HearingGuard(dir, LOG);
  guard.watch('ses_a')?.({ position: 7, end: 9 });
  guard.watch('ses_a')?.(null);
  guard.started(new Set(['ses_a']));
  guard.finished('ses_a');
  dieIn(7);
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
});

test('neither counts nor resets a start that dies between two records', () => {
  dieIn(7);
  dieIn(7);
  dieIn(7).watch('ses_a')?.(null);
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
  dieIn(7);
  expect(new HearingGuard(dir, LOG).due).toHaveLength(1);
});

test('counts a record that throws like one that kills the daemon', () => {
  for (let time = 1; time <= 3; time++) {
    const guard = new HearingGuard(dir, LOG);
    guard.watch('ses_a');
    guard.started(new Set(['ses_a']));
    guard.failed('ses_a', { position: 7, end: 9 });
    guard.finished('ses_a'); // up to the failed record
    guard.close();
  }
  expect(new HearingGuard(dir, LOG).due).toEqual([{ sessionId: 'ses_a', from: 7, to: 9 }]);
});

test('marks nothing after a regular stop', () => {
  new HearingGuard(dir, LOG).close();
  expect(existsSync(join(dir, 'hearing'))).toBe(false);
  const guard = new HearingGuard(dir, LOG);
  expect(guard.watch('ses_a')).toBeUndefined();
  expect(existsSync(join(dir, 'hearing'))).toBe(true);
});

test('does not mark a session that starts after the daemon', () => {
  const guard = new HearingGuard(dir, LOG);
  guard.started(new Set());
  expect(guard.watch('ses_a')).toBeUndefined();
});

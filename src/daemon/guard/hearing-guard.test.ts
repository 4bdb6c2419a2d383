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
  new HearingGuard(dir, LOG); // ends without a word
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A start that ends while it hears this record. */
const dieIn = (position: number, end = position + 100, sessionId = 'ses_a'): HearingGuard => {
  const guard = new HearingGuard(dir, LOG);
  const watch = guard.watch(sessionId);
  expect(watch).toBeDefined();
  watch?.({ position, end });
  return guard;
};

test('three starts that ended in a record make it due', () => {
  for (let time = 1; time <= 3; time++) {
    dieIn(7, 50);
    expect(new HearingGuard(dir, LOG).due).toEqual(time < 3 ? [] : [{ sessionId: 'ses_a', from: 7, to: 50 }]);
  }
  new HearingGuard(dir, LOG).passedOver('ses_a');
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
});

test('records that stand near each other count together', () => {
  dieIn(1000);
  dieIn(500);
  dieIn(2000);
  expect(new HearingGuard(dir, LOG).due).toEqual([{ sessionId: 'ses_a', from: 500, to: 2100 }]);
});

test('starts that got to different places of a journal make nothing due, nor do different sessions', () => {
  for (const position of [0, 10_000_000, 20_000_000]) dieIn(position);
  dieIn(7, 9, 'ses_b');
  dieIn(7, 9, 'ses_b');
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
});

test('a session that was heard is forgotten', () => {
  dieIn(7);
  dieIn(7);
  const guard = new HearingGuard(dir, LOG);
  guard.watch('ses_a')?.({ position: 7, end: 9 });
  guard.watch('ses_a')?.(null);
  guard.started(new Set(['ses_a']));
  guard.heard('ses_a');
  dieIn(7);
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
});

test('a start that ends between two records counts for nothing, and forgets nothing', () => {
  dieIn(7);
  dieIn(7);
  dieIn(7).watch('ses_a')?.(null);
  expect(new HearingGuard(dir, LOG).due).toEqual([]);
  dieIn(7);
  expect(new HearingGuard(dir, LOG).due).toHaveLength(1);
});

test('a record that throws counts like one that ends the daemon', () => {
  for (let time = 1; time <= 3; time++) {
    const guard = new HearingGuard(dir, LOG);
    guard.watch('ses_a');
    guard.started(new Set(['ses_a']));
    guard.failed('ses_a', { position: 7, end: 9 });
    guard.heard('ses_a'); // as far as it went
    guard.close();
  }
  expect(new HearingGuard(dir, LOG).due).toEqual([{ sessionId: 'ses_a', from: 7, to: 9 }]);
});

test('after a stop as it should be nothing is marked', () => {
  new HearingGuard(dir, LOG).close();
  expect(existsSync(join(dir, 'hearing'))).toBe(false);
  const guard = new HearingGuard(dir, LOG);
  expect(guard.watch('ses_a')).toBeUndefined();
  expect(existsSync(join(dir, 'hearing'))).toBe(true);
});

test('a session that starts later is not marked', () => {
  const guard = new HearingGuard(dir, LOG);
  guard.started(new Set());
  expect(guard.watch('ses_a')).toBeUndefined();
});

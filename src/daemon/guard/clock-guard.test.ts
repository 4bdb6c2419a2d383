import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClockGuard } from './clock-guard.js';

const DAY = 24 * 60 * 60 * 1000;
const YEAR = 365 * DAY;
const START = Date.parse('2026-03-01T10:00:00Z');
let folder: string;
const clock = { wall: START, ran: 0 };
const guards: ClockGuard[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-clock-'));
  Object.assign(clock, { wall: START, ran: 0 });
});
afterEach(() => {
  for (const guard of guards.splice(0)) guard.close();
  rmSync(folder, { recursive: true });
});

/** Starts a daemon's guard; the previous one has closed, unless it was killed. */
function start(newestEventAt: number | null = null): ClockGuard {
  clock.ran = 0;
  const ports = { now: () => clock.wall, ranMs: () => clock.ran };
  const guard = new ClockGuard({ file: join(folder, 'clock'), newestEventAt, ...ports });
  guards.push(guard);
  return guard;
}
function pass(ms: number): void {
  clock.wall += ms;
  clock.ran += ms;
}

test('believes a clock that goes on, also over a week without the daemon', () => {
  const guard = start();
  for (let day = 0; day < 100; day++) {
    pass(DAY);
    expect(guard.jump()).toBeNull();
  }
  guard.close();
  clock.wall += 6 * DAY;
  expect(start().jump()).toBeNull();
});

for (const [name, jumpMs] of [
  ['forward', YEAR],
  ['back', -YEAR],
] as const) {
  test(`doubts a clock that jumped ${name}, over restarts, until it is right again`, () => {
    start();
    clock.wall += jumpMs;
    expect(start().jump()).toEqual({ from: START, to: START + jumpMs });
    for (let n = 0; n < 20; n++) expect(start().jump()).not.toBeNull();
    clock.wall -= jumpMs;
    expect(start().jump()).toBeNull();
  });
}

test('doubts a clock that jumped while the daemon ran', () => {
  const guard = start();
  pass(DAY);
  expect(guard.jump()).toBeNull();
  clock.wall += 8 * DAY;
  expect(guard.jump()).toMatchObject({ from: START + DAY });
});

test('believes a new time once daemons have run for a week under it, or a person confirms it', () => {
  start();
  clock.wall += YEAR;
  for (let day = 0; day < 6; day++) {
    const guard = start();
    pass(DAY);
    expect(guard.jump()).not.toBeNull();
    guard.close();
  }
  const guard = start();
  pass(DAY);
  expect(guard.jump()).toBeNull();
  clock.wall += YEAR;
  expect(guard.jump()).not.toBeNull();
  guard.believe();
  expect(guard.jump()).toBeNull();
  expect(start().jump()).toBeNull();
});

test('compares with the newest event if there is no file, or a damaged one', () => {
  expect(start(START - YEAR).jump()).toMatchObject({ from: START - YEAR });
  writeFileSync(join(folder, 'clock'), '{"at": null}');
  expect(start(START - DAY).jump()).toBeNull();
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasProc } from './processes.js';
import { isStillThere, startByProc, startByPs } from './program-age.js';

const hasPs = spawnSync('ps', ['-p', String(process.pid)]).status === 0;
const startedAt = Date.now() - process.uptime() * 1000;

test('isStillThere is true if the process with the pid started at the given time', async () => {
  expect(await isStillThere({ pid: process.pid, startedAt })).toBe(true);
  expect(await isStillThere({ pid: process.pid, startedAt: startedAt - 10_000 })).toBe(false);
  expect(await isStillThere({ pid: process.pid, startedAt: startedAt + 10_000 })).toBe(false);
});

test('isStillThere is false for an unused pid', async () => {
  const { pid } = spawnSync('true');
  expect(await isStillThere({ pid, startedAt: Date.now() })).toBe(false);
});

test.runIf(hasProc && hasPs)('ps and /proc report the same start time, rounded to seconds', async () => {
  const [byProc, byPs] = [startByProc(process.pid), await startByPs(process.pid)];
  // ps counts from the second in which the system was started, and cuts its sum to seconds.
  expect(Math.abs((byProc ?? 0) - (byPs ?? Number.NaN))).toBeLessThan(2_000);
});

test.runIf(hasPs)('startByPs returns null for an unused pid', async () => {
  const { pid } = spawnSync('true');
  expect(await startByPs(pid)).toBeNull();
});

/**
 * Measures the SQLite store: durable appends of 1 KiB events, reads as lines, and the memory of its thread. The store
 * is on the disk of the temp folder.
 *
 * It also measures the CPU time of each event, of the whole process and of the daemon's own thread.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Outbox } from '../../src/daemon/events/index.js';
import { type NewEvent, openStore, type Store } from '../../src/store/index.js';
import type { Bench, Figure } from './bench.js';
import { pssMb } from './processes.js';

const EVENTS = 100_000;

export const store: Bench = {
  name: 'store',
  summary: 'the event log: durable appends and reads of 1 KiB events',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'orchd-bench-'));
    const before = pssMb([process.pid]);
    const opened = await openStore({ path: join(folder, 'orchd.db') });
    try {
      return [
        { what: 'memory, opened', value: pssMb([process.pid]) - before, unit: 'MB' },
        ...(await appends(opened)),
        ...(await reads(opened)),
        { what: 'memory, after all that', value: pssMb([process.pid]) - before, unit: 'MB' },
      ];
    } finally {
      await opened.close();
      rmSync(folder, { recursive: true });
    }
  },
};

/** Minimum number of durable appends per second, if they come in batches. */
const MIN_PER_SECOND = 50_000;

/** Measures a function: calls per second, and CPU time per call. */
async function measure(what: string, count: number, run: () => Promise<unknown>, least?: number): Promise<Figure> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const loop = performance.eventLoopUtilization();
  await run();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const { active } = performance.eventLoopUtilization(loop);
  const each =
    `${((user + system) / count).toFixed(1)} us CPU each, of it ${((active * 1e3) / count).toFixed(1)} the ` +
    `daemon's thread`;
  return { what, value: (count / ms) * 1e3, unit: '/s', ...(least !== undefined && { least }), note: each };
}

const event = (n: number): NewEvent => ({
  event_type: n % 10 === 0 ? 'message_received' : 'session_updated',
  timestamp: '2026-01-02T03:04:05.006Z',
  session_id: `ses_${n % 50}`,
  n,
  text: 'x'.repeat(900),
});
const hundred = (from: number): NewEvent[] => Array.from({ length: 100 }, (_, index) => event(from + index));

async function appends(store: Store): Promise<Figure[]> {
  const fail = (error: unknown): never => {
    throw error;
  };
  const outbox = new Outbox(store, { info: () => {}, error: () => {} }, fail);
  return [
    await measure('1 event, one commit after the other', 5_000, async () => {
      for (let n = 0; n < 5_000; n++) await store.commit({ events: [event(n)] });
    }),
    await measure('1 event, 100 committers at the outbox', 20_000, () =>
      Promise.all(
        Array.from({ length: 100 }, async () => {
          for (let n = 0; n < 200; n++) await outbox.commit({ events: [event(n)] });
        }),
      ),
    ),
    await measure('100 events, one commit after the other', EVENTS, async () => {
      for (let n = 0; n < EVENTS; n += 100) await store.commit({ events: hundred(n) });
    }),
    await measure(
      '100 events, 8 committers at the outbox',
      EVENTS,
      () =>
        Promise.all(
          Array.from({ length: 8 }, async () => {
            for (let n = 0; n < EVENTS / 8; n += 100) await outbox.commit({ events: hundred(n) });
          }),
        ),
      MIN_PER_SECOND,
    ),
  ];
}

async function reads(store: Store): Promise<Figure[]> {
  return [
    await measure('lines read, 1,000 at a time', EVENTS, async () => {
      for (let since = 0; since < EVENTS; since += 1_000) await store.readLines({ since, limit: 1_000 });
    }),
    await measure('lines read, a type of ten', 10_000, async () => {
      let since = 0;
      for (let n = 0; n < 10_000; n += 1_000) {
        since = (await store.readLines({ since, limit: 1_000, types: ['message_received'] })).at(-1)?.seq ?? 0;
      }
    }),
    await measure('lines read, a session of fifty', 2_000, () =>
      store.readLines({ since: 0, limit: 2_000, sessionId: 'ses_7' }),
    ),
  ];
}

/**
 * What the SQLite store costs: durable appends of 1 KiB events, reads as lines, memory of its thread.
 * `npx tsx test/bench/store.ts [folder]`; the folder says whose disk. Uses dist/sqlite-worker.js when it was built.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NewEvent, openStore } from '../../src/store/index.js';

const EVENTS = 100_000;
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'orchd-bench-'));
const workerUrl = new URL('../../dist/sqlite-worker.js', import.meta.url);
const isBuilt = existsSync(workerUrl);

const pssKiB = (): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1] ?? Number.NaN);
const say = (what: string, value: string): void => console.log(`${what.padEnd(46)} ${value}`);

/** Runs it and says how many a second, and how much CPU of the whole process each took. */
async function measure(what: string, count: number, run: () => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const loop = performance.eventLoopUtilization();
  await run();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const { active } = performance.eventLoopUtilization(loop);
  const each = `${((user + system) / count).toFixed(1)} us CPU, of it ${((active * 1e3) / count).toFixed(1)} us the daemon's thread`;
  say(what, `${Math.round((count / ms) * 1e3).toLocaleString('en')}/s, ${each}`);
}

const event = (n: number): NewEvent => ({
  event_type: n % 10 === 0 ? 'message_received' : 'session_updated',
  timestamp: '2026-01-02T03:04:05.006Z',
  session_id: `ses_${n % 50}`,
  n,
  text: 'x'.repeat(900),
});

say('node, worker', `${process.version}, ${isBuilt ? 'built' : 'source'}`);
const before = pssKiB();
const store = await openStore({ path: join(folder, 'orchd.db'), ...(isBuilt ? { workerUrl } : {}) });
say('memory of the opened store', `${((pssKiB() - before) / 1024).toFixed(1)} MiB PSS`);

await measure('1 event, one commit after the other', 5_000, async () => {
  for (let n = 0; n < 5_000; n++) await store.commit({ events: [event(n)] });
});
await measure('1 event, 100 committers', 20_000, () =>
  Promise.all(
    Array.from({ length: 100 }, async () => {
      for (let n = 0; n < 200; n++) await store.commit({ events: [event(n)] });
    }),
  ),
);
await measure('100 events, one commit after the other', EVENTS, async () => {
  for (let n = 0; n < EVENTS; n += 100) {
    await store.commit({ events: Array.from({ length: 100 }, (_, index) => event(n + index)) });
  }
});
await measure('100 events, 2 committers', EVENTS, () =>
  Promise.all(
    [0, 1].map(async () => {
      for (let n = 0; n < EVENTS / 2; n += 100) {
        await store.commit({ events: Array.from({ length: 100 }, (_, index) => event(n + index)) });
      }
    }),
  ),
);
await measure('lines read, 1,000 at a time', EVENTS, async () => {
  for (let since = 0; since < EVENTS; since += 1_000) await store.readLines({ since, limit: 1_000 });
});
await measure('lines read, a type of ten', 10_000, async () => {
  let since = 0;
  for (let n = 0; n < 10_000; n += 1_000) {
    since = (await store.readLines({ since, limit: 1_000, types: ['message_received'] })).at(-1)?.seq ?? 0;
  }
});
await measure('lines read, a session of fifty', 2_000, () =>
  store.readLines({ since: 0, limit: 2_000, sessionId: 'ses_7' }),
);
say('memory after all that', `${((pssKiB() - before) / 1024).toFixed(1)} MiB PSS more than before`);
await store.close();
rmSync(folder, { recursive: true });

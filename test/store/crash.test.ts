/**
 * Kills the store's process at random moments. All commits that it acknowledged must exist afterwards, complete, once
 * and in order.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { loadDriver } from '../../src/store/sqlite-driver.js';
import { createRandom, givenSeed } from '../harness/random.js';

const ROUNDS = 12;
const folder = mkdtempSync(join(tmpdir(), 'orchd-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'orchd.db');
const ROOT = join(import.meta.dirname, '../..');

// The committer is bundled once: to compile its sources at each start would take longer than to commit.
beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    build: {
      ssr: join(import.meta.dirname, 'committer.ts'),
      outDir: folder,
      rollupOptions: { output: { entryFileNames: 'committer.mjs' } },
    },
  });
  for (const name of ['node_modules', 'dist/sqlite-worker.cjs'])
    symlinkSync(join(ROOT, name), join(folder, basename(name)));
});

/**
 * Starts the committer and kills it. @returns  The acknowledgements read before the kill, and those still in the pipe.
 */
async function commitUntilKilled(acknowledgements: number): Promise<string[]> {
  const child = spawn(process.execPath, [join(folder, 'committer.mjs'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === acknowledgements) child.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return lines;
}

/** Reads everything and checks it: no gaps, in order, complete batches, rows and cursors that match the events. */
async function check(acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const store = await openStore({ path });
  const { lastSeq, sessions, cursors } = await store.load();
  const events = await store.readEvents({ since: 0, limit: 1_000_000 });
  expect(events.length).toBe(lastSeq);
  const last = new Map<string, number>();
  const missing = new Map(acknowledged);
  for (let index = 0; index < events.length; index += 3) {
    const writer = events[index]?.['writer'];
    const n = events[index]?.['n'];
    const batch = [0, 1, 2].map((part) => ({ seq: index + 1 + part, writer, n, part }));
    expect(events.slice(index, index + 3)).toMatchObject(batch);
    expect(n).toBe((last.get(String(writer)) ?? 0) + 1);
    last.set(String(writer), Number(n));
    if (missing.get(`${writer} ${n}`) === index + 1) missing.delete(`${writer} ${n}`);
  }
  expect([...missing]).toEqual([]);
  expect(new Map(sessions.map(({ id, value }) => [id, value]))).toEqual(last);
  expect(new Map(cursors.map(({ sessionId, checkpoint }) => [sessionId, checkpoint?.state]))).toEqual(last);
  const found = await store.readEvents({ since: 0, limit: 1_000_000, sessionId: 'writer-0', types: ['tick'] });
  expect(found.length).toBe((last.get('writer-0') ?? 0) * 3);
  await store.close();
}

test(`${ROUNDS} kills lose no acknowledged commit`, { timeout: 300_000 }, async () => {
  const acknowledged = new Map<string, number>();
  const random = createRandom(givenSeed());
  for (let round = 0; round < ROUNDS; round++) {
    for (const line of await commitUntilKilled(1 + random.below(400))) {
      const [writer, n, seq] = line.split(' ');
      acknowledged.set(`${writer} ${n}`, Number(seq));
    }
    if (round % 10 === 0) await check(acknowledged); // else the next process recovers what the last one left
  }
  await check(acknowledged);
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(path);
  expect(db.prepare('PRAGMA integrity_check').all()).toMatchObject([{ integrity_check: 'ok' }]);
  db.close();
});

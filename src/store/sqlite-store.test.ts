/** Tests the SQLite store when its file, its disk or its thread fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type NewEvent, openStore } from './index.js';
import { MIGRATIONS } from './migrations.js';
import { loadDriver } from './sqlite-driver.js';

const folder = mkdtempSync(join(tmpdir(), 'orchd-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const nextPath = (): string => join(folder, `${files++}.db`);

const event = (type: string, text = ''): NewEvent => ({ event_type: type, timestamp: 'now', text });
const statuses = (results: PromiseSettledResult<unknown>[]): string[] =>
  results.map((it) => (it.status === 'fulfilled' ? 'written' : it.reason.code));

/** Runs SQL on a file that is not open in a store. */
async function alter(path: string, sql: string): Promise<void> {
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

async function makeStore(path: string, events: number): Promise<void> {
  const store = await openStore({ path });
  await store.commit({ events: Array.from({ length: events }, () => event('a', 'x'.repeat(1_000))) });
  await store.close();
}

test('restricts the file and its WAL to the owner, and removes the WAL on close', async () => {
  const path = join(folder, 'deep', 'er', 'orchd.db');
  const store = await openStore({ path });
  await store.commit({ events: [event('a')] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  await store.close();
  expect(() => statSync(`${path}-wal`)).toThrow('ENOENT');
});

test('refuses whole batches on a full disk, and works again once there is space', async () => {
  const store = await openStore({ path: nextPath(), maxPages: 100 });
  await store.commit({ events: Array.from({ length: 50 }, () => event('a', 'x'.repeat(3_000))) });
  const large = { events: [event('b'), event('b', 'x'.repeat(400_000))], sessions: [{ id: 's', value: 1 }] };
  const small = { events: [event('c')] };
  const results = await Promise.allSettled([store.commit(small), store.commit(large), store.commit(small)]);
  expect(statuses(results)).toEqual(['written', 'ORCHD_STORE_FULL', 'written']);
  expect(await store.load()).toMatchObject({ lastSeq: 52, sessions: [] });

  await expect(store.commit(large)).rejects.toMatchObject({ code: 'ORCHD_STORE_FULL' });
  expect(await store.prune(52)).toBe(51);
  const medium = { events: [event('d', 'x'.repeat(100_000))] };
  expect((await store.commit(medium)).firstSeq).toBe(53);
  expect((await store.readEvents({ since: 0, limit: 9 })).map(({ seq }) => seq)).toEqual([52, 53]);
  await store.close();
});

test('refuses only the batch that the database rejects', async () => {
  const path = nextPath();
  await makeStore(path, 1);
  const refusal =
    "CREATE TRIGGER t BEFORE INSERT ON event WHEN NEW.event_type = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END";
  await alter(path, refusal);
  const store = await openStore({ path });
  const batches = ['good', 'bad', 'good', 'bad', 'good'].map((type) => ({ events: [event('good'), event(type)] }));
  const results = await Promise.allSettled(batches.map((it) => store.commit(it)));
  expect(statuses(results)).toEqual(['written', 'ORCHD_STORE_CORRUPT', 'written', 'ORCHD_STORE_CORRUPT', 'written']);
  const events = await store.readEvents({ since: 0, limit: 99 });
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await store.close();
});

test.each([
  ['a short text', Buffer.from('hello')],
  ['a long text', Buffer.from('this is not a database\n'.repeat(10_000))],
  ['one byte', Buffer.from([0])],
  ['zeros', Buffer.alloc(8_192)],
])('refuses %s as a store and does not change it', async (_what, content) => {
  const path = nextPath();
  writeFileSync(path, content);
  const opening = openStore({ path });
  await expect(opening).rejects.toMatchObject({ code: 'ORCHD_STORE_CORRUPT', message: expect.stringContaining(path) });
  expect(readFileSync(path).equals(content)).toBe(true);
});

test('refuses the database of another program and does not change it', async () => {
  const path = nextPath();
  await alter(path, 'CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
  const before = readFileSync(path);
  await expect(openStore({ path })).rejects.toMatchObject({ code: 'ORCHD_STORE_CORRUPT' });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('reports a truncated or overwritten store when it is read, and does not change it', async () => {
  const whole = nextPath();
  await makeStore(whole, 400);
  const bytes = readFileSync(whole);
  const cut = bytes.subarray(0, 5 * 4_096);
  const garbled = Buffer.concat([bytes.subarray(0, 8 * 4_096), Buffer.alloc(bytes.length - 8 * 4_096, 0x5a)]);
  for (const content of [cut, garbled]) {
    const path = nextPath();
    writeFileSync(path, content);
    const reading = openStore({ path }).then(async (store) => {
      await store.readLines({ since: 0, limit: 1_000 }).finally(() => store.close());
    });
    await expect(reading).rejects.toMatchObject({
      code: 'ORCHD_STORE_CORRUPT',
      message: expect.stringContaining(path),
    });
    expect(readFileSync(path).equals(content)).toBe(true);
  }
});

test('refuses a file of a newer version and does not change it', async () => {
  const path = nextPath();
  await makeStore(path, 1);
  await alter(path, 'PRAGMA user_version = 99');
  const before = readFileSync(path);
  await expect(openStore({ path })).rejects.toMatchObject({ code: 'ORCHD_STORE_NEWER' });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('opens a file of the first version with its rows, and adds what that version lacked', async () => {
  const path = nextPath();
  await alter(
    path,
    `${MIGRATIONS[0]} PRAGMA application_id = 0x6f726368; PRAGMA user_version = 1;
     INSERT INTO event VALUES (1, 'a', NULL, 'now', '{"event_type":"a","timestamp":"now"}');
     UPDATE meta SET value = 1 WHERE key = 'last_seq'; INSERT INTO session (id, value) VALUES ('s', '1');`,
  );
  const rows = { blueprints: [{ id: '/b', value: 2 }], runs: [{ id: 'r', value: 3 }], tasks: [{ id: 't', value: 4 }] };
  for (const expected of [{ blueprints: [], runs: [], tasks: [] }, rows]) {
    const store = await openStore({ path });
    expect(await store.load()).toMatchObject({ lastSeq: 1, sessions: [{ id: 's', value: 1 }], ...expected });
    await store.commit({ events: [], ...rows });
    await store.close();
  }
});

test('reports a file as locked while another process has it open, until that process is killed', async () => {
  const path = nextPath();
  const module = new URL('./index.ts', import.meta.url).href;
  const code = `const { openStore } = await import(${JSON.stringify(module)});
    await openStore({ path: ${JSON.stringify(path)} }); console.log('open');`;
  const other = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  await expect(openStore({ path })).rejects.toMatchObject({ code: 'ORCHD_STORE_LOCKED' });
  const ended = once(other, 'exit');
  other.kill('SIGKILL');
  await ended;
  const store = await openStore({ path });
  await store.close();
});

test('names the path of a folder that cannot be created', async () => {
  writeFileSync(join(folder, 'file'), '');
  const path = join(folder, 'file', 'orchd.db');
  await expect(openStore({ path })).rejects.toMatchObject({ message: expect.stringContaining(path) });
});

const worker = (onMessage: string): URL =>
  new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads';
     parentPort.on('message', (request) => { ${onMessage} }); parentPort.postMessage({ id: 0 });`.replaceAll('\n', ' '),
  );

test.each([
  ['throws', "throw new Error('crash')"],
  ['ends', 'process.exit(3)'],
])('fails all waiting and later calls if the thread %s', async (_how, code) => {
  const store = await openStore({ path: nextPath(), workerUrl: worker(code) });
  const first = store.commit({ events: [event('a')] });
  const results = await Promise.allSettled([first, store.commit({ events: [] }), store.load()]);
  expect(statuses(results)).toEqual(['ORCHD_INTERNAL', 'ORCHD_INTERNAL', 'ORCHD_INTERNAL']);
  await expect(store.commit({ events: [] })).rejects.toMatchObject({ code: 'ORCHD_INTERNAL' });
  await store.close();
});

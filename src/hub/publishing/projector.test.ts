/** Tests the projection of items with a real nats-server: the newest state of an item is the one that stays. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStream } from '../../../test/harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../../../test/harness/nats-server.js';
import type { Item } from '../../protocol/index.js';
import { ITEMS_KEPT, WatchedBucket } from '../buckets/watched-bucket.js';
import { ITEMS_BUCKET } from '../names.js';
import { initHub } from '../server/init.js';
import { Projector } from './projector.js';

const MANY = 200;

let server: NatsServer;
let connection: NatsConnection;
let end: AbortController;
let open: Map<string, Item>;
let projector: Projector;

beforeAll(async () => {
  if (!hasNats) return;
  server = await startNats();
  await initHub({ url: server.url, name: 'build' }, { maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024, replicas: 1 });
});
afterAll(() => server?.close());
beforeEach(async () => {
  if (!hasNats) return;
  connection = await connect({ servers: `127.0.0.1:${server.port}` });
  end = new AbortController();
  open = new Map();
  const ports = { share: 'inbox', sessions: () => [], openItems: () => [...open.values()] } as const;
  projector = await Projector.create(connection, 'build', ports);
});
afterEach(async () => {
  end?.abort();
  await connection?.close();
});

/** Changes an item as an event that was published does. `text`: null closes it. */
function change(id: string, text: string | null): void {
  if (text === null) open.delete(id);
  else open.set(id, { id, text } as unknown as Item); // the projection looks at the id only
  projector.touch([{ seq: 1, line: JSON.stringify({ event_type: 'item_opened', item_id: id }) }]);
}

/** The texts that the hub has, by item. */
async function stored(): Promise<Record<string, string>> {
  const entries = await readStream(server.url, 'KV_orchd_items');
  const items = entries.flatMap(({ text }) => (text === '' ? [] : [JSON.parse(text) as { id: string; text: string }]));
  return Object.fromEntries(items.map(({ id, text }) => [id, text]));
}

describe.skipIf(!hasNats)('the projection of items', () => {
  test('an item that changes twice quickly has its last state, whatever write was under way', async () => {
    const writing = projector.writeItems(end.signal);
    const turns = [() => Promise.resolve(), () => new Promise(setImmediate), () => connection.flush()];
    for (const [at, turn] of turns.entries()) {
      change(`itm_kept${at}`, 'first');
      change(`itm_gone${at}`, 'first');
      await turn();
      change(`itm_kept${at}`, 'second');
      change(`itm_gone${at}`, null);
      const flushed = projector.flush(); // as the other loop of a member does meanwhile
      change(`itm_kept${at}`, 'third');
      await flushed;
    }
    await expect.poll(() => projector.isDirty).toBe(false);
    await expect.poll(stored).toEqual({ itm_kept0: 'third', itm_kept1: 'third', itm_kept2: 'third' });
    end.abort();
    await writing;
  });

  test('an item that changes while many others are written before it has its last state', async () => {
    for (let i = 0; i < MANY; i++) change(`itm_${i}`, 'first');
    const flushed = projector.flush();
    change(`itm_${MANY - 1}`, 'second');
    change(`itm_${MANY - 2}`, null);
    await flushed;
    expect(await stored()).toMatchObject({ itm_0: 'first', [`itm_${MANY - 1}`]: 'second' });
    expect(await stored()).not.toHaveProperty(`itm_${MANY - 2}`);
  });

  test('a reader misses none of the items that are closed at the same moment', async () => {
    const reader = await connect({ servers: `127.0.0.1:${server.port}` });
    try {
      const bucket = new WatchedBucket<Item>(ITEMS_BUCKET, ITEMS_KEPT);
      await bucket.watch(reader);
      const ids = Array.from({ length: MANY }, (_, i) => `itm_together${i}`);
      const shown = () => bucket.list().filter(({ value }) => ids.includes(value.id)).length;
      for (const id of ids) change(id, 'first');
      await projector.flush();
      await expect.poll(shown).toBe(MANY);
      for (const id of ids) change(id, null);
      await projector.flush();
      await expect.poll(shown).toBe(0);
    } finally {
      await reader.close();
    }
  });
});

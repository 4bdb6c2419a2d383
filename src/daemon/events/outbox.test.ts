import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/harness/memory-store.js';
import { OrchdError } from '../../protocol/index.js';
import type { Batch, NewEvent, Store } from '../../store/index.js';
import type { Log } from '../log.js';
import { MAX_WAITING_PARTS, Outbox } from './outbox.js';

const silent: Log = { info: () => {}, error: () => {} };
const never = (error: unknown) => {
  throw error;
};
const event = (n: number): NewEvent => ({ event_type: 'test', timestamp: '2026-01-01T00:00:00.000Z', n });
const batch = (...numbers: number[]): Batch => ({ events: numbers.map(event) });

/** A store whose commits wait until the test releases them or lets them fail. */
function gated(): Store & { readonly batches: Batch[]; release(error?: OrchdError): Promise<void> } {
  const store = createMemoryStore();
  const gates: { open(): void; fail(error: OrchdError): void }[] = [];
  const batches: Batch[] = [];
  return {
    ...store,
    readEvents: (query) => store.readEvents(query),
    load: () => store.load(),
    batches,
    commit: (given) =>
      new Promise((resolve, reject) => {
        batches.push(given);
        gates.push({ open: () => resolve(store.commit(given)), fail: reject });
      }),
    async release(error) {
      const gate = gates.shift();
      if (error) gate?.fail(error);
      else gate?.open();
      await new Promise(setImmediate);
    },
  };
}

test('announces parts in the order they were added, with their positions in the log', async () => {
  const outbox = new Outbox(createMemoryStore(), silent, never);
  const seen: [number, number][] = [];
  for (let i = 0; i < 50; i++) {
    outbox.add({ batch: batch(i, i), onCommitted: ({ firstSeq, lines }) => seen.push([firstSeq, lines.length]) });
  }
  await outbox.drain();
  expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => [1 + 2 * i, 2]));
});

test('writes parts that are added when the previous commit ends', async () => {
  const outbox = new Outbox(createMemoryStore(), silent, never);
  for (let i = 0; i < 20; i++) await outbox.commit(batch(i));
  await outbox.drain();
  await outbox.commit(batch(20));
});

test('combines parts added during a transaction into the next, with the newest checkpoint of each cursor', async () => {
  const store = gated();
  const outbox = new Outbox(store, silent, never);
  const cursor = { sessionId: 'ses_1', position: 1 };
  outbox.add({ batch: { events: [event(1)], cursors: [{ ...cursor, checkpoint: { position: 1, state: 'old' } }] } });
  outbox.add({ batch: { events: [event(2)], cursors: [{ ...cursor, checkpoint: { position: 1, state: 'new' } }] } });
  outbox.add({ batch: { events: [event(3)], cursors: [{ ...cursor, position: 3 }] } });
  await store.release();
  expect(store.batches).toHaveLength(2);
  expect(store.batches[1]).toMatchObject({
    events: [{ n: 2 }, { n: 3 }],
    cursors: [{ position: 3, checkpoint: { state: 'new' } }],
  });
});

test('retries the same events in the same order while the disk is full', async () => {
  const store = gated();
  const outbox = new Outbox(store, silent, never);
  const done = [outbox.commit(batch(1)), outbox.commit(batch(2))];
  await store.release(new OrchdError('ORCHD_STORE_FULL', 'full'));
  expect(outbox.isFull).toBe(true);
  await expect.poll(() => store.batches.length).toBe(2);
  expect(store.batches[1]).toEqual(store.batches[0]);
  await store.release();
  await store.release();
  await Promise.all(done);
  expect(outbox.isFull).toBe(false);
  expect(await store.readEvents({ since: 0, limit: 9 })).toMatchObject([{ n: 1 }, { n: 2 }]);
});

test('keeps a blueprint that is removed and created again under its name in one transaction', async () => {
  const store = gated();
  const outbox = new Outbox(store, silent, never);
  const row = (value: string) => ({ events: [], blueprints: [{ id: '/b', value }] });
  const removal = { events: [], removes: { blueprints: ['/b'] } };
  for (const one of [row('first'), removal, row('new')]) outbox.add({ batch: one });
  await store.release();
  await store.release();
  expect((await store.load()).blueprints).toEqual([{ id: '/b', value: 'new' }]);
  for (const one of [removal, row('newer'), removal]) outbox.add({ batch: one });
  await store.release();
  await store.release();
  expect((await store.load()).blueprints).toEqual([]);
});

test('treats any other failure as fatal', async () => {
  const store = gated();
  const failed = new Promise<unknown>((resolve) => {
    new Outbox(store, silent, resolve).add({ batch: batch(1) });
  });
  await store.release(new OrchdError('ORCHD_INTERNAL', 'no'));
  expect(await failed).toMatchObject({ code: 'ORCHD_INTERNAL' });
});

test('makes journal readers wait while many parts are waiting, and lets them go on afterwards', async () => {
  const store = gated();
  const outbox = new Outbox(store, silent, never);
  expect(outbox.whenRoomy()).toBeNull();
  for (let i = 0; i <= MAX_WAITING_PARTS; i++) outbox.add({ batch: batch(i) });
  let isRoomy = false;
  const roomy = outbox.whenRoomy()?.then(() => {
    isRoomy = true;
  });
  await new Promise(setImmediate);
  expect(isRoomy).toBe(false);
  await store.release();
  await store.release();
  await roomy;
});

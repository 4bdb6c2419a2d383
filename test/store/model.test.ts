/** Compares the store on disk with the store in memory: after any operations, both return the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Batch, type EventQuery, openStore, type Store } from '../../src/store/index.js';
import { createMemoryStore } from '../harness/memory-store.js';
import { tries } from '../harness/tries.js';

const folder = mkdtempSync(join(tmpdir(), 'orchd-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = fc.oneof(fc.constantFrom('a', 'b', 'c', '"', 'a\0'), fc.string({ unit: 'binary', maxLength: 3 }));
const type = fc.constantFrom('one', 'two', 'three', '');
const row = fc.record({ id, value: fc.jsonValue() });
const checkpoint = fc.record({ position: fc.nat(), state: fc.jsonValue() });
const event = fc
  .record({
    event_type: type,
    timestamp: fc.constant('now'),
    session_id: fc.option(id, { nil: undefined }),
    data: fc.jsonValue(),
  })
  .map(({ session_id, ...rest }) => (session_id === undefined ? rest : { ...rest, session_id }));
const cursor = fc
  .record({
    sessionId: id,
    position: fc.maxSafeNat(),
    checkpoint: fc.option(fc.option(checkpoint), { nil: undefined }),
  })
  .map(({ checkpoint: kept, ...rest }) => (kept === undefined ? rest : { ...rest, checkpoint: kept }));
const batch: fc.Arbitrary<Batch> = fc.record({
  events: fc.oneof(fc.array(event, { maxLength: 5 }), fc.array(event, { minLength: 900, maxLength: 1_500 })),
  sessions: fc.array(row, { maxLength: 3 }),
  items: fc.array(row, { maxLength: 3 }),
  blueprints: fc.array(row, { maxLength: 3 }),
  runs: fc.array(row, { maxLength: 3 }),
  cursors: fc.array(cursor, { maxLength: 3 }),
});
const query: fc.Arbitrary<EventQuery> = fc
  .record({
    since: fc.integer({ min: -1, max: 5_000 }),
    limit: fc.oneof(fc.nat(5), fc.nat(5_000)),
    types: fc.option(fc.array(type, { maxLength: 3 }), { nil: undefined }),
    sessionId: fc.option(id, { nil: undefined }),
  })
  .map(({ types, sessionId, ...rest }) => ({
    ...rest,
    ...(types ? { types } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
  }));

type Step = (store: Store) => Promise<unknown>;
const step: fc.Arbitrary<Step | 'reopen'> = fc.oneof(
  batch.map(
    (it): Step =>
      (store) =>
        store.commit(it),
  ),
  fc.array(batch, { maxLength: 4 }).map(
    (all): Step =>
      (store) =>
        Promise.all(all.map((it) => store.commit(it))),
  ),
  query.map(
    (it): Step =>
      (store) =>
        store.readEvents(it),
  ),
  fc.nat(4_000).map(
    (seq): Step =>
      (store) =>
        store.prune(seq),
  ),
  fc.constant<Step>((store) => store.firstSeq()),
  fc.constant<Step>((store) => store.load()),
  fc.constant('reopen' as const),
);

test('the same steps give the same results on disk and in memory', { timeout: 300_000 }, async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const path = join(folder, `${files++}.db`);
      const model = createMemoryStore();
      let store = await openStore({ path });
      try {
        for (const take of steps) {
          if (take === 'reopen') {
            await store.close();
            store = await openStore({ path });
          } else {
            expect(await take(store)).toEqual(await take(model));
          }
        }
        expect(await store.load()).toEqual(await model.load());
      } finally {
        await store.close();
      }
    }),
    tries(8),
  );
});

import { beforeEach, expect, test } from 'vitest';
import type { Decided } from '../../lifecycle/index.js';
import type { NewEventOf } from '../../protocol/index.js';
import type { Batch, Commit, Store } from '../../store/index.js';
import { createEventBus } from '../events/event-bus.js';
import { Outbox } from '../events/outbox.js';
import { Collection } from './collection.js';
import { DecisionLoop } from './decision-loop.js';

interface Count {
  readonly value: number;
}

/** Adds; 0 changes nothing. Each even number has the effect of adding 1. */
function decide(aggregate: Count, add: number): Decided<Count, 'add'> {
  const { value } = aggregate;
  if (add === 0) return { aggregate, events: [], effects: [], ignored: '0 adds nothing' };
  const next = value + add;
  const event = { event_type: 'run_asking', run_id: RUN, timestamp: String(next) } as unknown as NewEventOf;
  return { aggregate: { value: next }, events: [event], effects: next % 2 === 0 ? ['add'] : [] };
}

const RUN = 'run_1';
const NEVER = new AbortController().signal;
const silent = { info: () => {}, error: () => {} };

let restored: Count;
let calls: string[];
let collection: Collection<Count>;
let loop: DecisionLoop<Count, number, 'add'>;
/** The commits in progress. The test ends each of them. */
let writing: { readonly batch: Batch; readonly done: () => void }[];

/** Ends the current transaction. */
async function write(): Promise<void> {
  writing.shift()?.done();
  await new Promise(setImmediate);
}

beforeEach(() => {
  calls = [];
  writing = [];
  let seq = 0;
  const store = {
    commit: (batch: Batch) =>
      new Promise<Commit>((resolve) => {
        const firstSeq = seq + 1;
        seq += batch.events.length;
        const done = () => resolve({ firstSeq, lines: batch.events.map((event) => JSON.stringify(event)) });
        writing.push({ batch, done });
      }),
  } as unknown as Store;
  const bus = createEventBus(store, 0, (events) => {
    for (const { timestamp } of events as readonly { timestamp?: unknown }[]) calls.push(`event ${timestamp}`);
  });
  const outbox = new Outbox(store, silent, (error) => {
    throw error;
  });
  collection = new Collection<Count>('run', () => null);
  loop = new DecisionLoop<Count, number, 'add'>({
    collection,
    outbox,
    bus,
    log: { ...silent, info: (message) => calls.push(message) },
    decide,
    rowsOf: (id, value, before) => ({ runs: before?.value === value.value ? [] : [{ id, value }] }),
    onStored: (_id, { value }, before) => calls.push(`stored ${before?.value} ${value}`),
    carryOut: (id, effect) => {
      calls.push(effect);
      void loop.apply(id, 1);
    },
    onDone: (_id, { value }) => calls.push(`done ${value}`),
  });
  restored = { value: 1 };
  collection.restore(RUN, restored);
});

test('announces a decision and carries out its effects only after the decision is on disk', async () => {
  void loop.apply(RUN, 1);
  expect(collection.aggregate(RUN)).toEqual({ value: 2 });
  expect(collection.view(RUN)).toEqual({ value: 1 });
  expect(calls).toEqual([]);
  expect(writing.map(({ batch }) => batch.runs)).toEqual([[{ id: RUN, value: { value: 2 } }]]);
  await write();
  expect(calls).toEqual(['event 2', 'stored 1 2', 'add', 'done 2']);
  expect(collection.view(RUN)).toEqual({ value: 2 });
  await write();
  expect(calls.slice(4)).toEqual(['event 3', 'stored 2 3', 'done 3']);
});

test('bases each decision on the previous one, even before that is on disk', async () => {
  void loop.apply(RUN, 2);
  void loop.apply(RUN, 4);
  expect(collection.aggregate(RUN)).toEqual({ value: 7 });
  await write();
  await write();
  expect(calls).toEqual(['event 3', 'stored 1 3', 'done 3', 'event 7', 'stored 3 7', 'done 7']);
});

test('writes nothing for an input that changes nothing, and logs why it was refused', async () => {
  await loop.apply(RUN, 0);
  await loop.apply('run_unknown', 1);
  expect(writing).toEqual([]);
  expect(calls).toEqual(['an input was refused: 0 adds nothing']);
});

test('until checks again after each change, and rejects when its signal aborts', async () => {
  const gone = new AbortController();
  const look = (wanted: number) => () => (collection.view(RUN)?.value === wanted ? wanted : null);
  const reached = loop.until(RUN, look(3), NEVER, () => 'not yet');
  const missed = loop.until(RUN, look(9), gone.signal, () => `it is ${collection.view(RUN)?.value}`);
  void loop.apply(RUN, 2);
  await write();
  expect(await reached).toBe(3);
  gone.abort();
  await expect(missed).rejects.toMatchObject({ code: 'ORCHD_TIMEOUT', message: 'it is 3' });
});

test('carries out the pending effects of the previous daemon again', async () => {
  loop.resume(
    () => ['add'],
    (id) => calls.push(`first ${id}`),
  );
  expect(calls).toEqual([`first ${RUN}`, 'add']);
  await write();
  expect(calls.slice(2)).toEqual(['event 2', 'stored 1 2', 'add', 'done 2']);
});

test('decides on no input after close', async () => {
  loop.close();
  await loop.apply(RUN, 1);
  expect(loop.aggregate(RUN)).toBeUndefined();
  expect(writing).toEqual([]);
});

test('forget removes an entry from both states and from the store', async () => {
  const forgotten = loop.forget([RUN], { runs: [RUN] });
  expect(writing[0]?.batch.removes).toEqual({ runs: [RUN] });
  await write();
  await forgotten;
  expect([collection.has(RUN), collection.view(RUN)]).toEqual([false, undefined]);
});

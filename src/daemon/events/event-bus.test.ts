import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/harness/memory-store.js';
import type { NewEvent, Store } from '../../store/index.js';
import { createEventBus, type EventBus, type EventReader } from './event-bus.js';

const event = (n: number, type = 'test', session_id = `ses_${n % 3}`): NewEvent => ({
  event_type: type,
  timestamp: '2026-01-01T00:00:00.000Z',
  session_id,
  n,
});
const forever = new AbortController().signal;

async function publish(store: Store, bus: EventBus, events: readonly NewEvent[]): Promise<void> {
  bus.publish(events, await store.commit({ events }));
}

async function readAll(reader: EventReader): Promise<number[]> {
  const seqs: number[] = [];
  for (;;) {
    const lines = await reader.read(false);
    if (!lines?.length) return seqs;
    seqs.push(...lines.map(({ seq }) => seq));
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function filled(count: number): Promise<{ store: Store; bus: EventBus }> {
  const store = createMemoryStore();
  const bus = createEventBus(store, 0);
  for (let n = 1; n <= count; n += 500) {
    await publish(
      store,
      bus,
      range(n, Math.min(n + 499, count)).map((i) => event(i)),
    );
  }
  return { store, bus };
}

test('a reader gets every event once, whether it starts in the store or in the ring', async () => {
  const { bus } = await filled(12_000);
  for (const since of [0, 1, 3_999, 11_998, 12_000]) {
    expect(await readAll(bus.reader({ since }, forever))).toEqual(since === 12_000 ? [] : range(since + 1, 12_000));
  }
});

test('a new bus reads the events of an earlier daemon from the store', async () => {
  const { store } = await filled(2_500);
  const bus = createEventBus(store, 2_500);
  await publish(store, bus, [event(2_501)]);
  expect(await readAll(bus.reader({ since: 0 }, forever))).toEqual(range(1, 2_501));
});

test('a reader with a filter gets only matching events, from the store and from the ring', async () => {
  const { bus } = await filled(12_000);
  const fits = range(1, 12_000).filter((n) => n % 3 === 1);
  expect(await readAll(bus.reader({ since: 0, sessionId: 'ses_1' }, forever))).toEqual(fits);
  expect(await readAll(bus.reader({ since: 0, types: ['other'] }, forever))).toEqual([]);
});

test('a reader gets one gap event for pruned events, and then the events after it', async () => {
  const { store, bus } = await filled(12_000);
  await store.prune(101);
  const reader = bus.reader({ since: 10 }, forever);
  const [first] = (await reader.read(false)) ?? [];
  expect(JSON.parse(first?.line ?? '')).toEqual({ event_type: 'gap', from: 11, to: 100 });
  expect(await readAll(reader)).toEqual(range(101, 12_000));
});

test('a following reader waits for the next event, and ends when its signal aborts', async () => {
  const { store, bus } = await filled(10);
  const end = new AbortController();
  const reader = bus.reader({ since: undefined }, end.signal);
  const next = reader.read(true);
  await publish(store, bus, [event(11)]);
  expect((await next)?.map(({ seq }) => seq)).toEqual([11]);
  const never = reader.read(true);
  end.abort();
  expect(await never).toBeNull();
});

test('an event reaches thousands of readers in several turns, each once, and later events after it', async () => {
  const { store, bus } = await filled(1);
  const readers = Array.from({ length: 2_000 }, () => bus.reader({ since: undefined }, new AbortController().signal));
  const seqs: number[][] = readers.map(() => []);
  const read = async (n: number): Promise<void> => {
    while (seqs[n]?.at(-1) !== 3) for (const { seq } of (await readers[n]?.read(true)) ?? []) seqs[n]?.push(seq);
  };
  const all = Promise.all(readers.map((_, n) => read(n)));
  await publish(store, bus, [event(2)]);
  expect(seqs.filter(({ length }) => length > 0).length).toBeLessThan(1_000);
  await publish(store, bus, [event(3)]);
  await all;
  expect(new Set(seqs.map(String))).toEqual(new Set(['2,3']));
});

test('the ring keeps few long events in memory, and readers get the others from the store', async () => {
  const store = createMemoryStore();
  let fromStore = 0;
  const bus = createEventBus(
    {
      ...store,
      firstSeq: () => store.firstSeq(),
      readLines: (query) => {
        fromStore++;
        return store.readLines(query);
      },
    },
    0,
  );
  const long = 'x'.repeat(200_000);
  for (let n = 1; n <= 100; n++) await publish(store, bus, [{ ...event(n), long }]);
  expect(await readAll(bus.reader({ since: 99 }, forever))).toEqual([100]);
  expect(fromStore).toBe(0);
  expect(await readAll(bus.reader({ since: 0 }, forever))).toEqual(range(1, 100));
  expect(fromStore).toBeGreaterThan(0);
});

test('readers that are far behind take turns at the store, and an aborted one reads nothing', async () => {
  const { store } = await filled(2_500);
  let now = 0;
  let most = 0;
  let pages = 0;
  const slow: Store = {
    ...store,
    firstSeq: () => store.firstSeq(),
    async readLines(query) {
      pages++;
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      return store.readLines(query);
    },
  };
  const bus = createEventBus(slow, 2_500);
  const left = new AbortController();
  const readers = Array.from({ length: 20 }, (_, n) => bus.reader({ since: 0 }, n < 10 ? forever : left.signal));
  const first = readers.map((reader) => reader.read(false));
  left.abort();
  const lines = await Promise.all(first);
  expect(lines.map((some) => some?.length)).toEqual([...Array(10).fill(100), ...Array(10).fill(undefined)]);
  expect([most, pages]).toEqual([1, 10]);
  for (const reader of readers.slice(0, 2)) expect(await readAll(reader)).toEqual(range(101, 2_500));
});

/** Tests the notifier with a real session entry and a clock that the test moves. */
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/harness/memory-store.js';
import { sessionOf } from '../../../test/harness/session.js';
import type { MessageFinding } from '../../ears/index.js';
import { parseQuietHours } from '../../protocol/index.js';
import { createEventBus } from '../events/event-bus.js';
import { Outbox } from '../events/outbox.js';
import { newRecord, SessionEntry, SessionNotices } from '../registry/session-entry.js';
import { type Clock, Notifier } from './notifier.js';

const START = Date.UTC(2026, 0, 1, 23);
const HOUR_MS = 3_600_000;
const silent = { info: () => {}, error: () => {} };

/** A clock that moves only by `moveTo`. */
function manualClock() {
  let now = START;
  let timer: { at: number; then: () => void } | null = null;
  const clock: Clock = {
    now: () => now,
    timeOfDayMs: () => now % (24 * HOUR_MS),
    after(ms, then) {
      const mine = { at: now + ms, then };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
  };
  return {
    clock,
    get isTimerSet() {
      return timer !== null;
    },
    /** Runs every timer that expires on the way. */
    moveTo(time: number): void {
      while (timer && timer.at <= time) {
        const { at, then } = timer;
        timer = null;
        now = at;
        then();
      }
      now = time;
    },
  };
}

function notified(quiet: string, afterMs = 1000) {
  const store = createMemoryStore();
  const outbox = new Outbox(store, silent, (error) => {
    throw error;
  });
  const time = manualClock();
  const notifier = new Notifier({
    rules: { afterMs, quiet: parseQuietHours(quiet) },
    quietHours: quiet,
    command: '',
    timeoutMs: 1000,
    env: {},
    socketPath: '/none',
    log: silent,
    clock: time.clock,
  });
  const session = sessionOf('sh', 'shell');
  const notices = new SessionNotices();
  notices.item.subscribe((item, owner) => notifier.onItem(item, owner));
  const entry = new SessionEntry(newRecord(session, '', 0), {
    outbox,
    bus: createEventBus(store, 0),
    notices,
    log: silent,
    monotonicNow: () => 0,
  });
  notifier.start([]);
  const asks = (n: number) => {
    const finding: MessageFinding = {
      kind: 'message',
      message: { type: 'QUESTION', data: { question: `Number ${n}?` } },
      ordinal: n,
      source: 'fence',
      ear: 'lines',
      origin: { ear: 'lines', from: n, to: n + 1 },
      turn: 0,
      line: n,
      at: n,
      time: time.clock.now(),
    };
    return entry.apply({ kind: 'finding', finding, messageId: `msg_${n}`, itemId: `itm_${n}` });
  };
  const notifiedItems = async () => {
    await outbox.drain();
    const events = await store.readEvents({ since: 0, limit: 100, types: ['item_notified'] });
    return events.map((event) => event['item_id']);
  };
  return { notifier, time, asks, notifiedItems, entry, store, outbox };
}

test('notifies of items that open in quiet hours once, when the quiet hours end', async () => {
  const { time, asks, notifiedItems } = notified('22:00-07:00');
  await asks(1);
  await asks(2);
  time.moveTo(START + 7.9 * HOUR_MS);
  expect(await notifiedItems()).toEqual([]);
  time.moveTo(START + 8 * HOUR_MS);
  expect(await notifiedItems()).toEqual(['itm_1', 'itm_2']);
  time.moveTo(START + 9 * HOUR_MS);
  expect(await notifiedItems()).toEqual(['itm_1', 'itm_2']);
});

test('does not notify of an item that is answered in time, and keeps no timer', async () => {
  const { time, asks, notifiedItems, entry } = notified('');
  await asks(1);
  expect(time.isTimerSet).toBe(true);
  const answer = { text: 'yes', by: 'cli', at: '2026-01-01T00:00:00.000Z' };
  await entry.apply({ kind: 'answered', itemId: 'itm_1', answer, writeId: 'wri_1', time: START });
  time.moveTo(START + HOUR_MS);
  expect(await notifiedItems()).toEqual([]);
  expect(time.isTimerSet).toBe(false);
});

test('does not notify of the items of a removed session, and does not restore its row', async () => {
  const { time, asks, notifiedItems, entry, store, outbox } = notified('');
  await asks(1);
  expect(entry.remove().map(({ id }) => id)).toEqual(['itm_1']);
  await outbox.commit({ events: [], removes: { sessions: [entry.id], items: ['itm_1'] } });
  time.moveTo(START + HOUR_MS);
  await entry.apply({ kind: 'resized', cols: 1, rows: 1 });
  expect(await notifiedItems()).toEqual([]);
  expect(await store.load()).toMatchObject({ sessions: [], items: [] });
  expect(time.isTimerSet).toBe(false);
});

test('waits while a person is present: until they leave, or are silent for two minutes', async () => {
  const { notifier, time, asks, notifiedItems } = notified('');
  const until = notifier.tellPresence('tui-1', null, true);
  expect(until).toBe(START + 120_000);
  await asks(1);
  time.moveTo(START + 119_999);
  expect(await notifiedItems()).toEqual([]);
  notifier.tellPresence('tui-1', null, true);
  time.moveTo(START + 200_000);
  expect(await notifiedItems()).toEqual([]);
  notifier.tellPresence('tui-1', null, false);
  expect(await notifiedItems()).toEqual(['itm_1']);
  notifier.tellPresence('attach-1', 'ses_1', true);
  await asks(2);
  time.moveTo(START + 400_000);
  expect(await notifiedItems()).toEqual(['itm_1', 'itm_2']);
});

test('notifies of nothing before the start, and then only of items without an earlier notification', async () => {
  const { notifier, time, asks, notifiedItems, entry } = notified('', 0);
  notifier.close(); // the state before start()
  await asks(1);
  await asks(2);
  await entry.apply({ kind: 'notified', itemId: 'itm_1', title: 'one asks', text: 'Number 1?', time: START });
  time.moveTo(START + HOUR_MS);
  expect(await notifiedItems()).toEqual(['itm_1']);
  notifier.start(entry.aggregate.items.map(({ item }) => ({ item, entry })));
  expect(await notifiedItems()).toEqual(['itm_1', 'itm_2']);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../../../test/harness/memory-store.js';
import { newSession } from '../../protocol/index.js';
import { createEventBus, Outbox } from '../events/index.js';
import type { ClockJump } from '../guard/clock-guard.js';
import { newRecord, Registry, SessionEntry, SessionNotices } from '../registry/index.js';
import { TRASH_MS, Trash } from './trash.js';

const log = { info: () => {}, error: (_: string, error: unknown) => expect.fail(String(error)) };

function setUp(jump: ClockJump | null = null) {
  const store = createMemoryStore();
  const bus = createEventBus(store, 0);
  const outbox = new Outbox(store, log, (error) => expect.fail(String(error)));
  const entryPorts = { outbox, bus, notices: new SessionNotices(), log, monotonicNow: () => 0 };
  const registry = new Registry();
  const clock = { jump: () => jump };
  const trash = new Trash({ registry, entryPorts, outbox, bus, log, clock, now: Date.now });
  const erased: string[] = [];
  const erase = async ({ id }: SessionEntry): Promise<void> => void erased.push(id);
  const add = (id: string, name: string): SessionEntry => {
    const known = { adapter: 'shell', command: ['sh'], cwd: '/', pid: 1, size: { cols: 80, rows: 24 } };
    const session = newSession({ id, name, ...known, key_required: false, created_at: '2026-01-01T00:00:00.000Z' });
    const ended = { ...session, state: 'exited' as const, ended_at: '2026-01-01T00:00:01.000Z' };
    const entry = new SessionEntry(newRecord(ended, '', 0), entryPorts);
    registry.add(entry);
    return entry;
  };
  return { store, registry, trash, erased, erase, add };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

test('deletes a session after TRASH_MS in the trash, unless it was restored', async () => {
  const { registry, trash, erased, erase, add } = setUp();
  trash.begin(erase);
  await trash.put(add('ses_a', 'a'), 10);
  await trash.put(add('ses_b', 'b'), 20);
  expect(registry.sessions()).toEqual([]);
  expect(trash.list().map(({ session, bytes }) => [session.name, bytes])).toEqual([
    ['b', 20],
    ['a', 10],
  ]);
  await vi.advanceTimersByTimeAsync(TRASH_MS - 1);
  expect(erased).toEqual([]);
  await trash.restore('a');
  await vi.advanceTimersByTimeAsync(1);
  expect(erased).toEqual(['ses_b']);
  expect(registry.sessions().map(({ name }) => name)).toEqual(['a']);
  await expect(trash.restore('b')).rejects.toMatchObject({ code: 'ORCHD_SESSION_UNKNOWN' });
});

test('a session stays in the trash for TRASH_MS after a start whose clock has jumped', async () => {
  const one = setUp();
  await one.trash.put(one.add('ses_a', 'a'), 10);
  const state = await one.store.load();
  vi.setSystemTime(Date.now() + 365 * 24 * 60 * 60 * 1000);
  const next = setUp({ from: 0, to: Date.now() });
  next.trash.load(state, () => 10);
  next.trash.begin(next.erase);
  await vi.advanceTimersByTimeAsync(TRASH_MS - 1);
  expect(next.erased).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(next.erased).toEqual(['ses_a']);
});

test('the next daemon keeps the deletion times that the previous one set', async () => {
  const one = setUp();
  await one.trash.put(one.add('ses_a', 'a'), 10);
  const state = await one.store.load();
  const next = setUp();
  expect(next.trash.load(state, () => 10)).toMatchObject({ sessions: [], items: [] });
  next.trash.begin(next.erase);
  vi.setSystemTime(Date.now() + 1000);
  await vi.advanceTimersByTimeAsync(TRASH_MS - 2000);
  expect(next.erased).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(next.erased).toEqual(['ses_a']);
});

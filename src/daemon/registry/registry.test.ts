import { beforeEach, expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/harness/memory-store.js';
import { asId, type Item, newSession, type Session } from '../../protocol/index.js';
import { createEventBus } from '../events/event-bus.js';
import { Outbox } from '../events/outbox.js';
import { Registry } from './registry.js';
import { newRecord, SessionEntry, SessionNotices } from './session-entry.js';

const store = createMemoryStore();
const log = { info: () => {}, error: () => {} };
const ports = {
  outbox: new Outbox(store, log, () => {}),
  bus: createEventBus(store, 0),
  notices: new SessionNotices(),
  log,
  monotonicNow: () => 0,
};

function session(id: string, name: string, more: Partial<Session> = {}): SessionEntry {
  const view: Session = {
    ...newSession({
      id: asId('session', id),
      name,
      adapter: 'shell',
      command: ['sh'],
      cwd: '/',
      pid: 1,
      size: { cols: 80, rows: 24 },
      key_required: false,
      created_at: '2026-01-01T00:00:00.000Z',
    }),
    state: 'working',
    ...more,
  };
  return new SessionEntry(newRecord(view, `hash of ${id}`, 100), ports);
}
const ENDED = { ended_at: '2026-01-01T00:00:01.000Z' };

let registry: Registry;
beforeEach(() => {
  registry = new Registry();
  registry.add(session('ses_aaaaaaaaa1', 'build', ENDED));
  registry.add(session('ses_aaaaaaaaa2', 'build'));
  registry.add(session('ses_bbbbbbbbb1', 'builder'));
  registry.add(session('ses_ccccccccc1', 'child', { parent_session_id: 'ses_bbbbbbbbb1' }));
});

test.each([
  ['ses_bbbbbbbbb1', 'ses_bbbbbbbbb1'],
  ['ses_b', 'ses_bbbbbbbbb1'],
  ['bbb', 'ses_bbbbbbbbb1'],
  ['builde', 'ses_bbbbbbbbb1'],
  ['ch', 'ses_ccccccccc1'],
  ['build', 'ses_aaaaaaaaa2'], // a whole name wins over a prefix, and a running session over an ended one
  ['ses_aaaaaaaaa1', 'ses_aaaaaaaaa1'],
])("'%s' finds %s", (selector, id) => {
  expect(registry.session(selector).id).toBe(id);
});

test('refuses a selector that matches several sessions, none, or is empty', () => {
  expect(() => registry.session('bui')).toThrow(expect.objectContaining({ code: 'ORCHD_AMBIGUOUS' }));
  expect(() => registry.session('nobody')).toThrow(expect.objectContaining({ code: 'ORCHD_SESSION_UNKNOWN' }));
  expect(() => registry.session('')).toThrow(expect.objectContaining({ code: 'ORCHD_SESSION_UNKNOWN' }));
  expect(() => registry.item('')).toThrow(expect.objectContaining({ code: 'ORCHD_ITEM_UNKNOWN' }));
});

test('gives a new session a name that no running session has or has reserved', () => {
  expect(() => registry.freeName('build', '')).toThrow(expect.objectContaining({ code: 'ORCHD_NAME_TAKEN' }));
  expect(registry.freeName(undefined, 'builder')).toBe('builder-2');
  const release = registry.reserve('builder-2');
  expect(registry.freeName(undefined, 'builder')).toBe('builder-3');
  release();
  expect(registry.freeName(undefined, 'builder')).toBe('builder-2');
  expect(registry.freeName(undefined, '..../!')).toBe('session');
});

test('finds a session by its token only while it runs', () => {
  expect(registry.byTokenHash('hash of ses_aaaaaaaaa2')?.id).toBe('ses_aaaaaaaaa2');
  expect(registry.byTokenHash('hash of ses_aaaaaaaaa1')).toBeUndefined();
});

test('isWithin is true for a session itself and for the sessions that it started', () => {
  const [parent, child] = [registry.session('builder'), registry.session('child')];
  expect([registry.isWithin(child, parent), registry.isWithin(parent, parent)]).toEqual([true, true]);
  expect(registry.isWithin(parent, child)).toBe(false);
});

test('finds an item by a prefix of its id', () => {
  const entry = registry.session('child');
  const item = { id: 'itm_x1', session_id: entry.id } as Item; // the fields that the registry reads
  registry.setItem(item, entry);
  expect(registry.item('x1')).toEqual({ item, entry });
});

/** Builds the first parts: the store and its rows, the outbox for events, and the event bus for their readers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item, Session } from '../../protocol/index.js';
import { DAMAGED, openStore, type StoredState } from '../../store/index.js';
import { createDiskWatch } from '../disk/index.js';
import { createEventBus, Outbox } from '../events/index.js';
import { ClockGuard, WalMark } from '../guard/index.js';
import { createObserver } from '../metrics/index.js';
import type { SessionRecord } from '../registry/index.js';
import { validState } from '../startup/index.js';
import type { Base } from './base.js';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** @throws {OrchdError} ORCHD_STORE_LOCKED if another daemon runs. */
export async function openStorage({ paths, log, config, lifetime, die, now, startedAt }: Base) {
  const walMark = new WalMark(paths.database);
  const store = await openStore({ path: paths.database });
  writeFileSync(paths.pidFile, String(process.pid), { mode: 0o600 });
  const loaded = await store.load();
  const found = { ...loaded, damaged: [...walMark.lost, ...loaded.damaged] };
  const state = validState(found, `${paths.database}${DAMAGED}`, log);
  const [newest] = await store.readEvents({ since: state.lastSeq - 1, limit: 1 });
  const clock = new ClockGuard({
    file: join(paths.stateDir, 'clock'),
    newestEventAt: Date.parse(newest?.timestamp ?? '') || null,
    now,
    ranMs: () => performance.now(),
  });
  const observer = createObserver();
  observer.start(openItems(state), sessionsIn(state), startedAt);
  const bus = createEventBus(store, state.lastSeq, (events) => observer.take(events, now()));
  const outbox = new Outbox(store, log, die);
  const disk = createDiskWatch({ path: paths.journalsDir, outbox, minFreeBytes: config.retention.min_free });
  lifetime.onClose(() => clock.close());
  lifetime.onClose(() => walMark.remove());
  lifetime.onClose(() => store.close());
  lifetime.onClose(() => outbox.drain());
  return { state, store, clock, walMark, observer, bus, outbox, disk };
}

const sessionsIn = ({ sessions }: StoredState): Session[] =>
  sessions.map(({ value }) => (value as SessionRecord).book.session); // only orchd writes rows

const openItems = ({ items }: StoredState): Item[] =>
  items.map(({ value }) => value as Item).filter(({ state }) => state === 'open'); // only orchd writes rows

/**
 * Builds the registry of sessions and items, the notices of their changes, and the guards for reading their journals.
 */
import { join } from 'node:path';
import { brakeFor, createJournalLoads, journalBytes, Trash } from '../disk/index.js';
import { HearingGuard } from '../guard/index.js';
import { type EntryPorts, Registry, SessionNotices } from '../registry/index.js';
import { RunCollection } from '../runs/index.js';
import { CatchingUp, createScreenFinder } from '../sessions/index.js';
import { HostConnection } from '../startup/index.js';
import type { Base } from './base.js';
import type { Storage } from './storage.js';

export type RegistryParts = ReturnType<typeof createRegistryParts>;

/** Creates the registry, the notices and the guards from the parts that were built earlier. */
export function createRegistryParts(earlier: Base & Storage) {
  const { paths, log, config, lifetime, die, now, outbox, bus, disk, clock, observer } = earlier;
  const budget = { usd: config.budget.session_usd, tokens: config.budget.session_tokens };
  const registry = new Registry();
  const notices = new SessionNotices();
  const monotonicNow = () => performance.now();
  const entryPorts: EntryPorts = { outbox, bus, notices, log, monotonicNow, budget };
  const catchingUp = new CatchingUp(registry, () => outbox.isFull);
  const loads = createJournalLoads((id) => journalBytes(join(paths.journalsDir, id)), monotonicNow);
  const guard = new HearingGuard(paths.stateDir, log);
  const brake = brakeFor({ disk, loads, registry, outbox, bus, log, now });
  const connection = new HostConnection({ paths, log, lifetime, die });
  const trash = new Trash({ registry, entryPorts, outbox, bus, log, clock, now });
  notices.item.subscribe((item, entry) => registry.setItem(item, entry));
  notices.end.subscribe(({ id }) => {
    observer.forget(id);
    loads.forget(id);
  });
  lifetime.onClose(() => connection.close());
  lifetime.onClose(() => guard.close());
  lifetime.onStop(() => trash.close());
  return {
    registry,
    notices,
    entryPorts,
    catchingUp,
    loads,
    guard,
    brake,
    connection,
    trash,
    host: connection.current,
    screenOf: createScreenFinder(paths),
    runCollection: new RunCollection(),
  };
}

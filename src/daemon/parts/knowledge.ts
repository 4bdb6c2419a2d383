/**
 * Builds the registry of sessions and items, the notices of their changes, and the guards for reading their journals.
 */
import { join } from 'node:path';
import { brakeFor, createJournalLoads, journalBytes } from '../disk/index.js';
import { HearingGuard } from '../guard/index.js';
import { createRegistry, type EntryPorts, SessionNotices } from '../registry/index.js';
import { RunShelf } from '../runs/index.js';
import { CatchingUp, createScreenFinder } from '../sessions/index.js';
import { HostConnection } from '../startup/index.js';
import type { Base } from './base.js';
import type { Storage } from './storage.js';

export type Knowledge = ReturnType<typeof createKnowledge>;

export function createKnowledge({ paths, log, lifetime, die, outbox, hub, disk, observer }: Base & Storage) {
  const registry = createRegistry();
  const notices = new SessionNotices();
  const entryPorts: EntryPorts = { outbox, hub, notices };
  const catchingUp = new CatchingUp(registry, () => outbox.isFull);
  const loads = createJournalLoads((id) => journalBytes(join(paths.journalsDir, id)), Date.now);
  const guard = new HearingGuard(paths.stateDir, log);
  const brake = brakeFor({ disk, loads, registry, outbox, hub, log });
  const connection = new HostConnection({ paths, log, lifetime, die });
  notices.item.subscribe((item, entry) => registry.setItem(item, entry));
  notices.end.subscribe(({ id }) => {
    observer.forget(id);
    loads.forget(id);
  });
  lifetime.onClose(() => connection.close());
  lifetime.onClose(() => guard.close());
  return {
    ...{ registry, notices, entryPorts, catchingUp, loads, guard, brake, connection },
    host: connection.current,
    screenOf: createScreenFinder(paths),
    runShelf: new RunShelf(),
  };
}

/**
 * The trash: sessions that a person has removed, for TRASH_MS. Until then they can be restored; then they are deleted.
 *
 * In:   an ended session (`put`), a selector (`restore`), the rows of the previous daemon (`load`).
 * Out:  events. A session in the trash is in no list and no request but those of the trash finds it; its journal and
 *       its rows stay where they are. Its row says when it was removed, so a daemon that starts continues the time; if
 *       the clock has jumped meanwhile, the time begins again.
 */
import { timestamp } from '../../lifecycle/index.js';
import { type Item, OrchdError, type OutputOf, type Session } from '../../protocol/index.js';
import type { NewEvent, StoredState } from '../../store/index.js';
import { Timers } from '../concurrency/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import type { ClockGuard } from '../guard/index.js';
import type { Log } from '../log.js';
import { type EntryPorts, pickSession, type Registry, SessionEntry, type SessionRecord } from '../registry/index.js';

interface TrashPorts {
  readonly registry: Registry;
  readonly entryPorts: EntryPorts;
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly log: Log;
  readonly clock: Pick<ClockGuard, 'jump'>;
  readonly now: () => number;
}

/** Milliseconds for which a removed session can be restored. */
export const TRASH_MS = 5 * 60 * 1000;

interface Held {
  readonly entry: SessionEntry;
  readonly items: readonly Item[];
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly removedAt: number;
}

/** Deletes a session of the trash: its journal, its rows. */
type Erase = (entry: SessionEntry, items: readonly string[]) => Promise<void>;

/** Holds removed sessions until they are restored or deleted. */
export class Trash {
  readonly #ports: TrashPorts;
  readonly #held = new Map<string, Held>();
  readonly #timers = new Timers();
  #erase: Erase = async () => {};

  constructor(ports: TrashPorts) {
    this.#ports = ports;
  }

  /** Removes from the stored state the sessions that were already in the trash when the previous daemon ended. */
  load(state: StoredState, bytesOf: (entry: SessionEntry) => number): StoredState {
    const rows = state.sessions.filter(({ value }) => removedAtOf(value) !== undefined);
    if (rows.length === 0) return state;
    const ids = new Set(rows.map(({ id }) => id));
    const items = state.items.map(({ value }) => value as Item); // only orchd writes rows
    for (const { id, value } of rows) {
      const entry = new SessionEntry(value as SessionRecord, this.#ports.entryPorts);
      const removedAt = removedAtOf(value) ?? 0;
      entry.putAside(removedAt);
      const own = items.filter(({ session_id }) => session_id === id);
      this.#held.set(id, { entry, items: own, bytes: bytesOf(entry), removedAt });
    }
    return {
      ...state,
      sessions: state.sessions.filter(({ id }) => !ids.has(id)),
      items: state.items.filter(({ value }) => !ids.has((value as Item).session_id)),
      cursors: state.cursors.filter(({ sessionId }) => !ids.has(sessionId)),
    };
  }

  /**
   * Starts to delete sessions that have been in the trash for TRASH_MS.
   * @param erase  Called once for each of them.
   */
  begin(erase: Erase): void {
    this.#erase = erase;
    for (const held of this.#held.values()) this.#arm(held);
  }

  /**
   * Puts a session into the trash.
   * @returns  The time of its deletion.
   */
  async put(entry: SessionEntry, bytes: number): Promise<number> {
    const { registry, now } = this.#ports;
    const removedAt = now();
    const items = registry.itemsOf(entry);
    const open = entry.putAside(removedAt);
    registry.remove(entry); // from now on no other request can find it
    const held = { entry, items, bytes, removedAt };
    this.#held.set(entry.id, held);
    const until = removedAt + TRASH_MS;
    const about = { timestamp: timestamp(removedAt), session_id: entry.id };
    const removed = { name: entry.view.name, reason: 'removed', until: timestamp(until) };
    await this.#commit([...withdrawals(open, about), { event_type: 'session_removed', ...about, ...removed }], entry);
    this.#arm(held);
    return until;
  }

  /** @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS */
  async restore(selector: string): Promise<Session> {
    const { registry } = this.#ports;
    const { entry, items } = this.#find(selector);
    this.#drop(entry.id);
    entry.bringBack();
    registry.add(entry);
    for (const item of items) registry.setItem(item, entry);
    await entry.apply({ kind: 'restored', time: this.#ports.now() });
    return entry.view;
  }

  /**
   * Deletes a session of the trash at once.
   * @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS
   */
  async erase(selector: string): Promise<OutputOf<'trash.delete'>> {
    const held = this.#find(selector);
    const { id, name } = held.entry.view;
    await this.#eraseHeld(held);
    return { id, name, bytes: held.bytes };
  }

  list(): OutputOf<'trash.list'> {
    return [...this.#held.values()]
      .map(({ entry, bytes, removedAt }) => ({
        session: entry.view,
        bytes,
        removed_at: timestamp(removedAt),
        until: timestamp(removedAt + TRASH_MS),
      }))
      .reverse();
  }

  close(): void {
    this.#timers.close();
  }

  #find(selector: string): Held {
    const entries = [...this.#held.values()].map(({ entry }) => entry);
    try {
      const held = this.#held.get(pickSession(entries, selector).id);
      if (held) return held;
    } catch (error) {
      if (!(error instanceof OrchdError) || error.code !== 'ORCHD_SESSION_UNKNOWN') throw error;
    }
    throw new OrchdError('ORCHD_SESSION_UNKNOWN', `no session '${selector}' is in the trash`);
  }

  #arm(held: Held): void {
    const { now, clock, log } = this.#ports;
    const { id } = held.entry;
    const left = clock.jump() ? TRASH_MS : Math.min(TRASH_MS, held.removedAt + TRASH_MS - now());
    this.#timers.set(id, left, () => {
      this.#eraseHeld(held).catch((error: unknown) =>
        log.error('a session of the trash could not be deleted', error, { session_id: id }),
      );
    });
  }

  async #eraseHeld({ entry, items }: Held): Promise<void> {
    this.#drop(entry.id);
    await this.#erase(
      entry,
      items.map(({ id }) => id),
    );
  }

  #drop(id: string): void {
    this.#held.delete(id);
    this.#timers.clear(id);
  }

  #commit(events: readonly NewEvent[], entry: SessionEntry): Promise<void> {
    const { outbox, bus } = this.#ports;
    const row = { id: entry.id, value: entry.record };
    return outbox.commit({ events, sessions: [row] }, (committed) => bus.publish(events, committed));
  }
}

// Only orchd writes rows.
const removedAtOf = (value: unknown): number | undefined => (value as SessionRecord).removedAt;

/** The events of the items that a removed session leaves open. */
export const withdrawals = (
  open: readonly Item[],
  about: { readonly timestamp: string; readonly session_id: string },
) => open.map(({ id }) => ({ event_type: 'item_withdrawn', ...about, item_id: id, reason: 'session_removed' }));

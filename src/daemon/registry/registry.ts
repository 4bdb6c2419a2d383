/** The registry: every session and item that the daemon knows, by id, name or a beginning of either. */
import { randomBytes } from 'node:crypto';
import { ID_BYTES, type Item, makeId, OrchdError, type Session, type SessionId } from '../../protocol/index.js';
import { begins, pick, pickById } from './pick.js';
import type { SessionEntry } from './session-entry.js';

export interface Registry {
  add(entry: SessionEntry): void;
  /** Returns an id for a new session. */
  newId(): SessionId;
  readonly entries: Iterable<SessionEntry>;
  /** Finds a session by its complete id. */
  get(id: string): SessionEntry | undefined;
  /** @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS */
  session(selector: string): SessionEntry;
  sessions(): Session[];
  /**
   * Returns the stored item and its session.
   * @throws {OrchdError} ORCHD_ITEM_UNKNOWN, ORCHD_AMBIGUOUS
   */
  item(selector: string): { item: Item; entry: SessionEntry };
  items(): Item[];
  /** Returns the items of a session, including closed ones. */
  itemsOf(entry: SessionEntry): Item[];
  /**
   * Removes a session and its items.
   * @returns The ids of the items.
   */
  remove(entry: SessionEntry): string[];
  removeItem(id: string): void;
  /** Replaces the stored item. */
  setItem(item: Item, entry: SessionEntry): void;
  /**
   * Returns the wanted name, or one made from the program; it is unique among living sessions.
   *
   * @param isOwn True to also avoid the names of ended sessions, unless that name is wanted.
   * @throws {OrchdError} ORCHD_NAME_TAKEN if the wanted name is taken.
   */
  freeName(wanted: string | undefined, program: string, isOwn?: boolean): string;
  /** Reserves a name until its session is added. */
  reserve(name: string): () => void;
  /** Returns the session with this token. */
  byTokenHash(hash: string): SessionEntry | undefined;
  /** True if `entry` is `ancestor`, or was started by it directly or indirectly. */
  isWithin(entry: SessionEntry, ancestor: SessionEntry): boolean;
}

/** Creates an empty registry. */
export function createRegistry(): Registry {
  const entries = new Map<string, SessionEntry>();
  const items = new Map<string, { item: Item; entry: SessionEntry }>();
  const reserved = new Set<string>();

  /**
   * The names that a new session must not get. They are collected once per request, because there may be a thousand
   * sessions.
   */
  function takenNames(isOwn: boolean): Set<string> {
    const taken = new Set(reserved);
    for (const entry of entries.values()) if (isOwn || !entry.hasEnded) taken.add(entry.aggregate.session.name);
    return taken;
  }

  return {
    entries: { [Symbol.iterator]: () => entries.values() },
    get: (id) => entries.get(id),
    newId() {
      for (;;) {
        const id = makeId('session', randomBytes(ID_BYTES));
        if (!entries.has(id)) return id;
      }
    },
    add: (entry) => entries.set(entry.id, entry),
    session(selector) {
      return entries.get(selector) ?? pickSession([...entries.values()], selector);
    },
    sessions: () => [...entries.values()].map((entry) => entry.shown),
    item: (selector) => pickById(items, selector, 'item'),
    items: () => [...items.values()].map(({ item }) => item),
    itemsOf: (entry) => [...items.values()].flatMap((one) => (one.entry === entry ? [one.item] : [])),
    remove(entry) {
      entries.delete(entry.id);
      const gone = [...items.values()].filter((one) => one.entry === entry).map(({ item }) => item.id);
      for (const id of gone) items.delete(id);
      return gone;
    },
    removeItem: (id) => items.delete(id),
    setItem: (item, entry) => items.set(item.id, { item, entry }),
    freeName(wanted, program, isOwn = false) {
      const taken = takenNames(wanted === undefined && isOwn);
      if (wanted !== undefined) {
        if (taken.has(wanted)) throw new OrchdError('ORCHD_NAME_TAKEN', `a living session is called '${wanted}'`);
        return wanted;
      }
      const base =
        program
          .replaceAll(/[^A-Za-z0-9._-]/g, '')
          .replace(/^[._-]+/, '')
          .slice(0, 40) || 'session';
      for (let n = 1; ; n++) {
        const name = n === 1 ? base : `${base}-${n}`;
        if (!taken.has(name)) return name;
      }
    },
    reserve(name) {
      reserved.add(name);
      return () => reserved.delete(name);
    },
    byTokenHash: (hash) => [...entries.values()].find((entry) => !entry.hasEnded && entry.tokenHash === hash),
    isWithin(entry, ancestor) {
      for (let at: SessionEntry | undefined = entry; at; at = parentOf(at)) if (at === ancestor) return true;
      return false;
    },
  };

  function parentOf(entry: SessionEntry): SessionEntry | undefined {
    const parent = entry.view.parent_session_id;
    return parent === null ? undefined : entries.get(parent);
  }
}

/**
 * Finds a session by its complete id or name, otherwise by a prefix of either. Living sessions have precedence.
 * @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS
 */
export function pickSession(entries: readonly SessionEntry[], selector: string): SessionEntry {
  const exact = entries.find(({ id }) => id === selector) ?? newestNamed(entries, selector);
  if (exact) return exact;
  const found = entries.filter(
    (entry) => begins(entry.id, selector) || (selector !== '' && entry.view.name.startsWith(selector)),
  );
  const living = found.filter((entry) => !entry.hasEnded);
  return pick(living.length > 0 ? living : found, selector, 'session', (entry) => `${entry.id} (${entry.view.name})`);
}

/** Finds a session by name. Names of living sessions are unique; among ended ones the newest is returned. */
function newestNamed(entries: readonly SessionEntry[], name: string): SessionEntry | undefined {
  const named = entries.filter((entry) => entry.view.name === name);
  return named.find((entry) => !entry.hasEnded) ?? named.at(-1);
}

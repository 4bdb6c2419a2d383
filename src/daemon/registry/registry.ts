/** The registry: every session and item that the daemon knows, by id, name or a beginning of either. */
import { randomBytes } from 'node:crypto';
import { ID_BYTES, type Item, makeId, OrchdError, type Session, type SessionId } from '../../protocol/index.js';
import { begins, pick, pickById } from './pick.js';
import type { SessionEntry } from './session-entry.js';

export class Registry {
  readonly #entries = new Map<string, SessionEntry>();
  readonly #items = new Map<string, { item: Item; entry: SessionEntry }>();
  readonly #reserved = new Set<string>();
  readonly entries: Iterable<SessionEntry> = { [Symbol.iterator]: () => this.#entries.values() };

  add(entry: SessionEntry): void {
    this.#entries.set(entry.id, entry);
  }

  /** Returns an id for a new session. */
  newId(): SessionId {
    for (;;) {
      const id = makeId('session', randomBytes(ID_BYTES));
      if (!this.#entries.has(id)) return id;
    }
  }

  /** Finds a session by its complete id. */
  get(id: string): SessionEntry | undefined {
    return this.#entries.get(id);
  }

  /** @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS */
  session(selector: string): SessionEntry {
    return this.#entries.get(selector) ?? pickSession([...this.#entries.values()], selector);
  }

  sessions(): Session[] {
    return [...this.#entries.values()].map((entry) => entry.shown);
  }

  /**
   * Returns the stored item and its session.
   * @throws {OrchdError} ORCHD_ITEM_UNKNOWN, ORCHD_AMBIGUOUS
   */
  item(selector: string): { item: Item; entry: SessionEntry } {
    return pickById(this.#items, selector, 'item');
  }

  items(): Item[] {
    return [...this.#items.values()].map(({ item }) => item);
  }

  /** Returns the items of a session, including closed ones. */
  itemsOf(entry: SessionEntry): Item[] {
    return [...this.#items.values()].flatMap((one) => (one.entry === entry ? [one.item] : []));
  }

  /**
   * Removes a session and its items.
   * @returns The ids of the items.
   */
  remove(entry: SessionEntry): string[] {
    this.#entries.delete(entry.id);
    const gone = this.itemsOf(entry).map(({ id }) => id);
    for (const id of gone) this.#items.delete(id);
    return gone;
  }

  removeItem(id: string): void {
    this.#items.delete(id);
  }

  /** Replaces the stored item. */
  setItem(item: Item, entry: SessionEntry): void {
    this.#items.set(item.id, { item, entry });
  }

  /**
   * Returns the wanted name, or one made from the program; it is unique among living sessions.
   *
   * @param isOwn True to also avoid the names of ended sessions, unless that name is wanted.
   * @throws {OrchdError} ORCHD_NAME_TAKEN if the wanted name is taken.
   */
  freeName(wanted: string | undefined, program: string, isOwn = false): string {
    const taken = this.#takenNames(wanted === undefined && isOwn);
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
  }

  /**
   * The names that a new session must not get. They are collected once per request, because there may be a thousand
   * sessions.
   */
  #takenNames(isOwn: boolean): Set<string> {
    const taken = new Set(this.#reserved);
    for (const entry of this.entries) if (isOwn || !entry.hasEnded) taken.add(entry.aggregate.session.name);
    return taken;
  }

  /** Reserves a name until its session is added. */
  reserve(name: string): () => void {
    this.#reserved.add(name);
    return () => this.#reserved.delete(name);
  }

  /** Returns the session with this token. */
  byTokenHash(hash: string): SessionEntry | undefined {
    return [...this.entries].find((entry) => !entry.hasEnded && entry.tokenHash === hash);
  }

  /** True if `entry` is `ancestor`, or was started by it directly or indirectly. */
  isWithin(entry: SessionEntry, ancestor: SessionEntry): boolean {
    for (let at: SessionEntry | undefined = entry; at; at = this.#parentOf(at)) if (at === ancestor) return true;
    return false;
  }

  #parentOf({ view: { parent_session_id: parent } }: SessionEntry): SessionEntry | undefined {
    return parent === null ? undefined : this.#entries.get(parent);
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

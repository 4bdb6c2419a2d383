/**
 * The outbox: batches that wait to be stored, in order. Each is announced when it is on disk.
 *
 * In:   parts (`add`): a batch for the store, and a callback.
 * Out:  `onCommitted` of each part, in the order they were added, with its sequence numbers.
 * While one transaction runs, added parts are collected for the next one. If the disk is full, the same transaction is
 * repeated every RETRY_MS, and no later one overtakes it. Any other failure ends the daemon: the journals still contain
 * everything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type NewEventOf, OrchdError } from '../../protocol/index.js';
import {
  type Batch,
  type Commit,
  type JournalCursor,
  type NewEvent,
  ROW_KINDS,
  type Row,
  type Store,
} from '../../store/index.js';
import type { Log } from '../log.js';

interface Part {
  readonly batch: Batch;
  readonly onCommitted?: (committed: Commit) => void;
}

/**
 * @param consequence  The part of the error message that names what cannot be done.
 * @throws {OrchdError} ORCHD_STORE_FULL if the disk is full.
 */
export function needRoom({ isFull }: Pick<Outbox, 'isFull'>, consequence: string): void {
  if (isFull) throw new OrchdError('ORCHD_STORE_FULL', `the disk is full: ${consequence}`);
}

/** Returns events in the type that the store accepts: plain records. */
export const plainEvents = (events: readonly NewEventOf[]): NewEvent[] => events as unknown as NewEvent[];

/**
 * Maximum number of waiting events, about two transactions: the events of a session that emits as many as it can must
 * not delay those of others for longer.
 */
const MAX_WAITING_EVENTS = 1_000;
/**
 * Maximum number of waiting parts. A part contains the findings of one read of a journal (64 KiB), with at most one
 * longer message, so this is about 20 MiB.
 */
export const MAX_WAITING_PARTS = 256;
/**
 * Limits of a transaction: its first event must not be announced much later than necessary, and the store's copy must
 * stay small.
 */
const MAX_EVENTS_PER_COMMIT = 500;
const MAX_PARTS_PER_COMMIT = 128;
const RETRY_MS = 1_000;

/** The outbox of a store. */
export class Outbox {
  readonly #store: Store;
  readonly #log: Log;
  readonly #onFatal: (error: unknown) => void;
  #waiting: Part[] = [];
  #waitingEvents = 0;
  #isRunning = false;
  #isFull = false;
  #idle: (() => void)[] = [];
  #roomy: (() => void)[] = [];
  #full: (() => void)[] = [];

  /** @param onFatal  Called if a transaction fails for another reason than a full disk. */
  constructor(store: Store, log: Log, onFatal: (error: unknown) => void) {
    this.#store = store;
    this.#log = log;
    this.#onFatal = onFatal;
  }

  add(part: Part): void {
    this.#waiting.push(part);
    this.#waitingEvents += part.batch.events.length;
    if (!this.#isRunning) this.#run().catch(this.#onFatal);
  }

  /** Resolves when the part is on disk. */
  commit(batch: Batch, onCommitted?: (committed: Commit) => void): Promise<void> {
    return new Promise((resolve) => {
      this.add({
        batch,
        onCommitted: (committed) => {
          onCommitted?.(committed);
          resolve();
        },
      });
    });
  }

  /** Numbers of waiting events and parts. */
  get depth(): { readonly events: number; readonly parts: number } {
    return { events: this.#waitingEvents, parts: this.#waiting.length };
  }

  /** True if the disk is full and the last attempt has failed. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Returns null if the queue has room, otherwise a promise that resolves when it has. Readers of journals pause until
   * then.
   */
  whenRoomy(): Promise<void> | null {
    return this.#isRoomy ? null : new Promise((resolve) => this.#roomy.push(resolve));
  }

  /** Resolves when the disk is full; immediately if it is. */
  whenFull(): Promise<void> {
    return this.#isFull ? Promise.resolve() : new Promise((resolve) => this.#full.push(resolve));
  }

  /** Resolves when everything is on disk. */
  drain(): Promise<void> {
    return this.#isRunning ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  get #isRoomy(): boolean {
    return this.#waitingEvents < MAX_WAITING_EVENTS && this.#waiting.length < MAX_WAITING_PARTS;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const parts = this.#takeSome();
      const batch = merge(parts.map((part) => part.batch));
      const { firstSeq, lines } = await this.#write(batch);
      this.#waitingEvents -= batch.events.length;
      let done = 0;
      for (const part of parts) {
        const count = part.batch.events.length;
        part.onCommitted?.({ firstSeq: firstSeq + done, lines: lines.slice(done, done + count) });
        done += count;
      }
      if (this.#isRoomy) this.#roomy = wake(this.#roomy);
    }
    this.#isRunning = false; // set in this turn, because a woken caller may add parts
    this.#idle = wake(this.#idle);
  }

  async #write(batch: Batch): Promise<Commit> {
    for (;;) {
      try {
        const committed = await this.#store.commit(batch);
        if (this.#isFull) this.#log.info('the store has space again');
        this.#isFull = false;
        return committed;
      } catch (error) {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_STORE_FULL') throw error;
        if (!this.#isFull) this.#log.error('the disk is full; events wait', error);
        this.#isFull = true;
        this.#full = wake(this.#full);
        await sleep(RETRY_MS);
      }
    }
  }

  #takeSome(): Part[] {
    let count = 0;
    let events = 0;
    for (const { batch } of this.#waiting) {
      if (count === MAX_PARTS_PER_COMMIT) break;
      if (count > 0 && events + batch.events.length > MAX_EVENTS_PER_COMMIT) break;
      events += batch.events.length;
      count++;
    }
    const parts = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return parts;
  }
}

function wake(callbacks: (() => void)[]): (() => void)[] {
  for (const callback of callbacks) callback();
  return [];
}

/** Merges several batches: events in order, and the last row or cursor of each id. */
function merge(batches: readonly Batch[]): Batch {
  const [first] = batches;
  if (first && batches.length === 1) return first;
  const merged = ROW_KINDS.map((kind) => ({ kind, rows: new Map<string, Row>(), removed: new Set<string>() }));
  const cursors = new Map<string, JournalCursor>();
  for (const batch of batches) {
    for (const { kind, rows, removed } of merged) {
      for (const row of batch[kind] ?? []) {
        rows.set(row.id, row);
        // The name of a removed blueprint may be used again; other ids are never reused.
        if (kind === 'blueprints') removed.delete(row.id);
      }
      for (const id of batch.removes?.[kind] ?? []) removed.add(id);
    }
    for (const cursor of batch.cursors ?? []) {
      const earlier = cursors.get(cursor.sessionId);
      const keeps = cursor.checkpoint === undefined && earlier?.checkpoint !== undefined;
      cursors.set(cursor.sessionId, keeps ? { ...cursor, checkpoint: earlier.checkpoint } : cursor);
    }
  }
  return {
    events: batches.flatMap((batch) => batch.events),
    ...Object.fromEntries(merged.map(({ kind, rows }) => [kind, [...rows.values()]])),
    cursors: [...cursors.values()],
    removes: Object.fromEntries(merged.map(({ kind, removed }) => [kind, [...removed]])),
  };
}

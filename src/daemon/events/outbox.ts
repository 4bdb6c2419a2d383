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

export interface Outbox {
  add(part: Part): void;
  /** Resolves when the part is on disk. */
  commit(batch: Batch, onCommitted?: (committed: Commit) => void): Promise<void>;
  /** Numbers of waiting events and parts. */
  readonly depth: { readonly events: number; readonly parts: number };
  /** True if the disk is full and the last attempt has failed. */
  readonly isFull: boolean;
  /**
   * Returns null if the queue has room, otherwise a promise that resolves when it has. Readers of journals pause until
   * then.
   */
  whenRoomy(): Promise<void> | null;
  /** Resolves when the disk is full; immediately if it is. */
  whenFull(): Promise<void>;
  /** Resolves when everything is on disk. */
  drain(): Promise<void>;
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

/**
 * Creates the outbox of a store.
 *
 * @param onFatal  Called if a transaction fails for another reason than a full disk.
 */
export function createOutbox(store: Store, log: Log, onFatal: (error: unknown) => void): Outbox {
  let waiting: Part[] = [];
  let waitingEvents = 0;
  let isRunning = false;
  let isFull = false;
  let idle: (() => void)[] = [];
  let roomy: (() => void)[] = [];
  let full: (() => void)[] = [];

  const isRoomy = () => waitingEvents < MAX_WAITING_EVENTS && waiting.length < MAX_WAITING_PARTS;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const parts = takeSome();
      const batch = merge(parts.map((part) => part.batch));
      const { firstSeq, lines } = await write(batch);
      waitingEvents -= batch.events.length;
      let done = 0;
      for (const part of parts) {
        const count = part.batch.events.length;
        part.onCommitted?.({ firstSeq: firstSeq + done, lines: lines.slice(done, done + count) });
        done += count;
      }
      if (isRoomy()) roomy = wake(roomy);
    }
    isRunning = false; // set in this turn, because a woken caller may add parts
    idle = wake(idle);
  }

  async function write(batch: Batch): Promise<Commit> {
    for (;;) {
      try {
        const committed = await store.commit(batch);
        if (isFull) log.info('the store has space again');
        isFull = false;
        return committed;
      } catch (error) {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_STORE_FULL') throw error;
        if (!isFull) log.error('the disk is full; events wait', error);
        isFull = true;
        full = wake(full);
        await sleep(RETRY_MS);
      }
    }
  }

  function takeSome(): Part[] {
    let count = 0;
    let events = 0;
    for (const { batch } of waiting) {
      if (count === MAX_PARTS_PER_COMMIT) break;
      if (count > 0 && events + batch.events.length > MAX_EVENTS_PER_COMMIT) break;
      events += batch.events.length;
      count++;
    }
    const parts = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return parts;
  }

  const outbox: Outbox = {
    add(part) {
      waiting.push(part);
      waitingEvents += part.batch.events.length;
      if (!isRunning) run().catch(onFatal);
    },
    commit: (batch, onCommitted) =>
      new Promise((resolve) => {
        outbox.add({
          batch,
          onCommitted: (committed) => {
            onCommitted?.(committed);
            resolve();
          },
        });
      }),
    get depth() {
      return { events: waitingEvents, parts: waiting.length };
    },
    get isFull() {
      return isFull;
    },
    whenRoomy: () => (isRoomy() ? null : new Promise((resolve) => roomy.push(resolve))),
    whenFull: () => (isFull ? Promise.resolve() : new Promise((resolve) => full.push(resolve))),
    drain: () => (isRunning ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
  return outbox;
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

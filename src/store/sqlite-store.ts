/**
 * The store in a SQLite file. This part runs in the daemon's thread and never waits for a disk.
 *
 * In:   batches and queries. They are encoded here and sent to the worker (sqlite-worker.ts), which owns the file.
 * Out:  promises that settle when the worker has replied.
 *
 * Group commit: an idle store writes the first batch at once, together with all batches of the same turn of the event
 * loop. Batches that arrive while the worker writes form the next group, with one transaction and one fsync. There is
 * no timer. A large batch does not wait for the end of the turn: its events fill a group of their own, and the worker
 * writes them while the next batch is encoded. If the worker dies, all waiting and later calls fail with
 * ORCHD_INTERNAL.
 */
import type { Worker } from 'node:worker_threads';
import { errorMessage, OrchdError } from '../protocol/index.js';
import { startWorker, workerBeside } from '../threads/index.js';
import type {
  Batch,
  Commit,
  EventLine,
  EventQuery,
  Store,
  StoreBackend,
  StoredEvent,
  StoredState,
} from './contract.js';
import { decodeState, type EncodedBatch, encodeBatch, encodeKey, lineOf, parseLine } from './encoding.js';
import { type CallKind, type Calls, type Failure, type Reply, toWire, type WorkerInput } from './sqlite-messages.js';

export interface StoreOptions {
  /** The path of the file; it and its folder are created if missing. */
  readonly path: string;
  /** Default: the worker beside this file. */
  readonly workerUrl?: URL;
  /** Maximum size of the file in pages of 4 KiB, for tests and small disks. Default: none. */
  readonly maxPages?: number;
}

/** Maximum size of a group, so that its copy and its transaction stay small. A single batch may be larger. */
const GROUP_CHARS = 4 * 1024 * 1024;
/** A batch of this size is sent to the worker at once; smaller ones are sent together when the turn ends. */
const LARGE_CHARS = 64 * 1024;
/** Number of events removed in one transaction: commits wait for one of these transactions, not for all. */
const PRUNE_ROWS = 2_000;
/**
 * Limits of the worker's heap. The young generation is only as large as a group needs, because its memory is never
 * released. The old generation may be several times the largest batch; this limit reserves no memory.
 */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256, stackSizeMb: 1 } as const;

/**
 * Opens or creates the store.
 *
 * @throws {OrchdError} ORCHD_STORE_LOCKED if another process uses it, ORCHD_STORE_CORRUPT, ORCHD_STORE_NEWER; the file
 *   is not changed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = new SqliteStore(options);
  await store.opened;
  return store;
}

export const sqlite: StoreBackend = { name: 'sqlite', isDurable: true, open: openStore };

interface Waiting {
  readonly batch: EncodedBatch;
  readonly chars: number;
  readonly resolve: (commit: Commit) => void;
  readonly reject: (error: OrchdError) => void;
}
interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: OrchdError) => void;
}

class SqliteStore implements Store {
  readonly opened: Promise<unknown>;
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #nextId = 0;
  #queue: Waiting[] = [];
  /** True if a group will be sent at the end of this turn. */
  #isBegun = false;
  /** True while the worker writes a group. */
  #isWriting = false;
  #closing: Promise<void> | undefined;
  /** The error that ended the store. */
  #end: OrchdError | undefined;

  constructor({ path, maxPages, workerUrl = workerBeside('sqlite-worker', import.meta.url) }: StoreOptions) {
    const workerData: WorkerInput = { path, ...(maxPages === undefined ? {} : { maxPages }) };
    this.#worker = startWorker(workerUrl, { workerData, resourceLimits: RESOURCE_LIMITS, name: 'orchd-store' });
    this.#worker.on('message', (reply: Reply) => this.#onReply(reply));
    this.#worker.on('error', (error) => this.#fail(`the store's thread failed: ${errorMessage(error)}`, error));
    this.#worker.on('exit', (code) => this.#fail(`the store's thread ended (${code})`));
    this.opened = this.#expect();
    this.opened.catch(() => this.#worker.terminate()); // the caller gets the same rejection through `opened`
  }

  commit(batch: Batch): Promise<Commit> {
    return new Promise((resolve, reject) => {
      this.#assertOpen();
      const encoded = encodeBatch(batch);
      const chars = sizeOf(encoded);
      this.#queue.push({ batch: encoded, chars, resolve, reject });
      if (this.#isWriting) return;
      if (chars >= LARGE_CHARS) void this.#writeGroups();
      else if (!this.#isBegun) {
        this.#isBegun = true;
        queueMicrotask(() => void this.#writeGroups());
      }
    });
  }

  /** Sends groups while batches wait. Never rejects: errors reject the commits. */
  async #writeGroups(): Promise<void> {
    this.#isBegun = false;
    if (this.#isWriting) return; // its batches were sent together with a large one
    this.#isWriting = true;
    while (this.#queue.length > 0 && !this.#end) {
      const group = this.#takeGroup();
      try {
        const outcomes = await this.#call(
          'commit',
          group.map(({ batch }) => toWire(batch)),
        );
        this.#settle(group, outcomes);
      } catch (error) {
        for (const { reject } of group) reject(asOrchdError(error));
      }
    }
    this.#isWriting = false;
  }

  #takeGroup(): Waiting[] {
    let chars = 0;
    const end = this.#queue.findIndex(({ chars: own }, index) => {
      chars += own;
      return index > 0 && chars > GROUP_CHARS;
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  #settle(group: readonly Waiting[], outcomes: Calls['commit'][1]): void {
    group.forEach(({ batch, resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (typeof outcome === 'number') {
        resolve({ firstSeq: outcome, lines: batch.events.map(({ text }, place) => lineOf(outcome + place, text)) });
      } else {
        reject(outcome ? toError(outcome) : new OrchdError('ORCHD_INTERNAL', "the store's thread lost a batch"));
      }
    });
    const last = outcomes.at(-1);
    if (typeof last !== 'object' || last.code !== 'ORCHD_STORE_FULL') return;
    for (const { reject } of this.#queue.splice(0)) reject(toError(last)); // see `commit` in the contract
  }

  async readLines(query: EventQuery): Promise<EventLine[]> {
    const lines: EventLine[] = [];
    let { since } = query;
    for (let hasMore = true; hasMore; ) {
      const page = await this.#ask('read', {
        since,
        limit: Math.max(0, query.limit - lines.length),
        ...(query.types ? { types: [...new Set(query.types.map(encodeKey))] } : {}),
        ...(query.sessionId === undefined ? {} : { sessionId: encodeKey(query.sessionId) }),
      });
      for (const { seq, text } of page.rows) lines.push({ seq, line: lineOf(seq, text) });
      since = lines.at(-1)?.seq ?? since;
      hasMore = page.hasMore;
    }
    return lines;
  }

  async readEvents(query: EventQuery): Promise<StoredEvent[]> {
    return (await this.readLines(query)).map(parseLine);
  }

  async firstSeq(): Promise<number> {
    return this.#ask('firstSeq', null);
  }

  async seqAt(timestamp: string): Promise<number> {
    return this.#ask('seqAt', timestamp);
  }

  async load(): Promise<StoredState> {
    return decodeState(await this.#ask('load', null));
  }

  async prune(beforeSeq: number): Promise<number> {
    let total = 0;
    for (let removed = PRUNE_ROWS; removed === PRUNE_ROWS; ) {
      removed = await this.#ask('prune', { beforeSeq, limit: PRUNE_ROWS });
      total += removed;
    }
    return total;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // The worker processes calls in order, so its reply comes after that of the group.
    while (this.#isBegun || this.#isWriting) await this.#call('firstSeq', null).catch(() => undefined);
    if (!this.#end) await this.#call('close', null);
    await this.#worker.terminate();
  }

  /** A call of the public interface. */
  async #ask<K extends CallKind>(kind: K, input: Calls[K][0]): Promise<Calls[K][1]> {
    this.#assertOpen();
    return this.#call(kind, input);
  }

  #call<K extends CallKind>(kind: K, input: Calls[K][0]): Promise<Calls[K][1]> {
    if (this.#end) return Promise.reject(this.#end);
    this.#worker.postMessage({ id: this.#nextId, kind, input });
    return this.#expect() as Promise<Calls[K][1]>; // the reply has the type of its request
  }

  #expect(): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  #onReply({ id, result, failure }: Reply): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (failure) call?.reject(toError(failure));
    else call?.resolve(result);
  }

  #fail(reason: string, cause?: unknown): void {
    if (this.#end) return;
    const end = new OrchdError('ORCHD_INTERNAL', reason, undefined, cause);
    this.#end = end;
    for (const { reject } of [...this.#calls.values(), ...this.#queue]) reject(end);
    this.#calls.clear();
    this.#queue = [];
  }

  #assertOpen(): void {
    if (this.#closing) throw new OrchdError('ORCHD_INTERNAL', 'the store is closed');
    if (this.#end) throw this.#end;
  }
}

function sizeOf({ events, rows, cursors }: EncodedBatch): number {
  let chars = 0;
  for (const { text } of events) chars += text.length;
  for (const [, some] of rows) for (const { text } of some) chars += text.length;
  for (const { checkpoint } of cursors) chars += checkpoint?.text.length ?? 0;
  return chars;
}

function toError({ code, message }: Failure): OrchdError {
  return new OrchdError(code, message);
}
function asOrchdError(error: unknown): OrchdError {
  return error instanceof OrchdError ? error : new OrchdError('ORCHD_INTERNAL', errorMessage(error), undefined, error);
}

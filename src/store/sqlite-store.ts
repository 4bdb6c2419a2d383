/**
 * The store in a SQLite file. This part runs in the daemon's thread and never waits for a disk.
 *
 * In:   batches and queries. They are encoded here and sent to the worker (sqlite-worker.ts), which owns the file.
 * Out:  promises that settle when the worker has replied.
 *
 * Each commit is one transaction with one fsync. The daemon collects what waits in one batch (daemon/events/outbox.ts).
 * If the worker dies, all waiting and later calls fail with ORCHD_INTERNAL.
 */
import type { Worker } from 'node:worker_threads';
import { errorMessage, OrchdError } from '../protocol/index.js';
import { startWorker, workerBundle } from '../threads/index.js';
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
import { decodeState, encodeBatch, encodeKey, lineOf, parseLine } from './encoding.js';
import { type CallKind, type Calls, type Failure, type Reply, toWire, type WorkerInput } from './sqlite-messages.js';

export interface StoreOptions {
  /** The path of the file; it and its folder are created if missing. */
  readonly path: string;
  /** Default: the bundle of the store's worker. */
  readonly workerUrl?: URL;
  /** Maximum size of the file in pages of 4 KiB, for tests and small disks. Default: none. */
  readonly maxPages?: number;
}

/** Number of events removed in one transaction: commits wait for one of these transactions, not for all. */
const PRUNE_ROWS = 2_000;
/**
 * Limits of the worker's heap. The young generation is only as large as a batch needs, because its memory is never
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

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: OrchdError) => void;
}

class SqliteStore implements Store {
  readonly opened: Promise<unknown>;
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #nextId = 0;
  #closing: Promise<void> | undefined;
  /** The error that ended the store. */
  #end: OrchdError | undefined;

  constructor({ path, maxPages, workerUrl = workerBundle('sqlite-worker', import.meta.url) }: StoreOptions) {
    const workerData: WorkerInput = { path, ...(maxPages === undefined ? {} : { maxPages }) };
    this.#worker = startWorker(workerUrl, { workerData, resourceLimits: RESOURCE_LIMITS, name: 'orchd-store' });
    this.#worker.on('message', (reply: Reply) => this.#onReply(reply));
    this.#worker.on('error', (error) => this.#fail(`the store's thread failed: ${errorMessage(error)}`, error));
    this.#worker.on('exit', (code) => this.#fail(`the store's thread ended (${code})`));
    this.opened = this.#expect();
    this.opened.catch(() => this.#worker.terminate()); // the caller gets the same rejection through `opened`
  }

  async commit(batch: Batch): Promise<Commit> {
    this.#assertOpen();
    const encoded = encodeBatch(batch);
    const firstSeq = await this.#call('commit', toWire(encoded));
    return { firstSeq, lines: encoded.events.map(({ text }, place) => lineOf(firstSeq + place, text)) };
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
    if (!this.#end) await this.#call('close', null); // the worker answers earlier calls first
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
    for (const { reject } of this.#calls.values()) reject(end);
    this.#calls.clear();
  }

  #assertOpen(): void {
    if (this.#closing) throw new OrchdError('ORCHD_INTERNAL', 'the store is closed');
    if (this.#end) throw this.#end;
  }
}

function toError({ code, message }: Failure): OrchdError {
  return new OrchdError(code, message);
}

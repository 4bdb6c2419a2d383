/**
 * A store in memory, for tests. It fulfils the contract, but its content is lost when it is closed. It serializes like
 * the real stores, so that it also returns JSON.
 */
import { OrchdError } from '../../src/protocol/index.js';
import type {
  Batch,
  Commit,
  EventLine,
  EventQuery,
  Store,
  StoreBackend,
  StoredEvent,
  StoredState,
} from '../../src/store/contract.js';
import {
  decodeState,
  type EncodedCheckpoint,
  type EncodedEvent,
  type EncodedRow,
  eachKind,
  encodeBatch,
  encodeKey,
  lineOf,
  parseLine,
} from '../../src/store/encoding.js';

/** The content of a new store. */
export const EMPTY_STORE: StoredState = {
  sessions: [],
  items: [],
  blueprints: [],
  runs: [],
  tasks: [],
  workflows: [],
  workflowSteps: [],
  cursors: [],
  damaged: [],
  lastSeq: 0,
};

export const memory: StoreBackend = {
  name: 'memory',
  isDurable: false,
  open: async () => createMemoryStore(),
};

export function createMemoryStore(): Store {
  return new MemoryStore();
}

class MemoryStore implements Store {
  /** The event at index 0 has the seq `#pruned + 1`. */
  #events: EncodedEvent[] = [];
  #pruned = 0;
  readonly #rows = eachKind(() => new Map<string, EncodedRow>());
  readonly #cursors = new Map<string, { position: number; checkpoint: EncodedCheckpoint | null }>();
  #isClosed = false;

  async commit(batch: Batch): Promise<Commit> {
    this.#assertOpen();
    const encoded = encodeBatch(batch);
    const { events, rows, cursors, removed } = encoded;
    const firstSeq = this.#lastSeq() + 1;
    for (const event of events) this.#events.push(event);
    // A Map keeps the position of a key that is set again.
    for (const [kind, some] of rows) for (const row of some) this.#rows[kind].set(row.id, row);
    for (const { sessionId, position, checkpoint } of cursors) {
      const kept = checkpoint === undefined ? (this.#cursors.get(sessionId)?.checkpoint ?? null) : checkpoint;
      this.#cursors.set(sessionId, { position, checkpoint: kept });
    }
    for (const [kind, ids] of removed) {
      for (const id of ids) {
        this.#rows[kind].delete(id);
        if (kind === 'sessions') this.#cursors.delete(id);
      }
    }
    return { firstSeq, lines: events.map(({ text }, index) => lineOf(firstSeq + index, text)) };
  }

  async readLines({ since, limit, types, sessionId }: EventQuery): Promise<EventLine[]> {
    this.#assertOpen();
    const wanted = types && new Set(types.map(encodeKey));
    const session = sessionId === undefined ? undefined : encodeKey(sessionId);
    const lines: EventLine[] = [];
    for (let index = Math.max(0, since - this.#pruned); lines.length < limit; index++) {
      const event = this.#events[index];
      if (!event) break;
      if (wanted && !wanted.has(event.type)) continue;
      if (session !== undefined && event.sessionId !== session) continue;
      const seq = this.#pruned + 1 + index;
      lines.push({ seq, line: lineOf(seq, event.text) });
    }
    return lines;
  }

  async readEvents(query: EventQuery): Promise<StoredEvent[]> {
    return (await this.readLines(query)).map(parseLine);
  }

  async firstSeq(): Promise<number> {
    this.#assertOpen();
    return this.#pruned + 1;
  }

  async seqAt(timestamp: string): Promise<number> {
    this.#assertOpen();
    const index = this.#events.findIndex((event) => event.timestamp >= timestamp);
    return index < 0 ? this.#lastSeq() + 1 : this.#pruned + 1 + index;
  }

  async load(): Promise<StoredState> {
    this.#assertOpen();
    return decodeState({
      rows: eachKind((kind) => [...this.#rows[kind].values()]),
      cursors: [...this.#cursors].map(([sessionId, cursor]) => ({ sessionId, ...cursor })),
      lastSeq: this.#lastSeq(),
    });
  }

  async prune(beforeSeq: number): Promise<number> {
    this.#assertOpen();
    const removed = this.#events.splice(0, Math.max(0, beforeSeq - 1 - this.#pruned)).length;
    this.#pruned += removed;
    return removed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #lastSeq(): number {
    return this.#pruned + this.#events.length;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new OrchdError('ORCHD_INTERNAL', 'the store is closed');
  }
}

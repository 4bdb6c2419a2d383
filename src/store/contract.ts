/**
 * The store: the event log and the data that must agree with it (cursors, sessions, items, blueprints, runs, tasks,
 * workflows), behind one interface.
 *
 * A batch is written completely or not at all, and is on disk when `commit` resolves. Batches keep the order of their
 * `commit` calls. Sequence numbers are assigned at the commit, from 1, without gaps. They are never reused, even after
 * a crash or a prune.
 *
 * `commit` serializes a batch immediately, so later changes by the caller have no effect. A `seq` in a new event is
 * ignored. The queue before the store has no limit. Callers limit it by waiting for their commits (the daemon then
 * slows down the host).
 */

/** An event without a sequence number; `timestamp` and other fields as in protocol/events.schema.json. */
export interface NewEvent {
  readonly event_type: string;
  readonly timestamp: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}
export interface StoredEvent extends NewEvent {
  readonly seq: number;
}

/** An event as a line of NDJSON without its newline, `seq` first, ready to be sent. */
export interface EventLine {
  readonly seq: number;
  readonly line: string;
}

/** The position up to which a session's journal has become events, and the position from which to read it again. */
export interface JournalCursor {
  readonly sessionId: string;
  /** All bytes before this journal position are in the log. */
  readonly position: number;
  /** State of the ears at a position ≤ `position`. Null: start at 0. Undefined: keep the stored state. */
  readonly checkpoint?: { readonly position: number; readonly state: unknown } | null;
}

/** A row that replaces the stored row with the same id. `value` is JSON. */
export interface Row {
  readonly id: string;
  readonly value: unknown;
}

/** The kinds of rows. Rows of each kind keep the order of their first commit. */
export const ROW_KINDS = ['sessions', 'items', 'blueprints', 'runs', 'tasks', 'workflows', 'workflowSteps'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

export interface Batch extends Partial<Readonly<Record<RowKind, readonly Row[]>>> {
  readonly events: readonly NewEvent[];
  readonly cursors?: readonly JournalCursor[];
  /** Ids of rows to remove. Removing a session also removes its cursor. Removals are applied last. */
  readonly removes?: Partial<Readonly<Record<RowKind, readonly string[]>>>;
}

/** An implementation that stores events and rows. conformance.test.ts checks each one. */
export interface StoreBackend {
  readonly name: string;
  /** True if committed data is still there after a restart. */
  readonly isDurable: boolean;
  /** @param options  `path`: the database file. A backend that is not durable ignores it. */
  open(options: { readonly path: string }): Promise<Store>;
}

export interface EventQuery {
  /** Events with a `seq` greater than this. */
  readonly since: number;
  readonly limit: number;
  /** Types to return; [] returns none, undefined returns all. */
  readonly types?: readonly string[];
  readonly sessionId?: string;
}

/** A row that cannot be read. It stays in the store until another one replaces it. */
export interface DamagedRow {
  readonly kind: RowKind | 'checkpoint' | 'cursor' | 'wal';
  readonly id: string;
  /** The stored text. */
  readonly text: string;
}

export interface StoredState extends Readonly<Record<RowKind, readonly Row[]>> {
  readonly cursors: readonly (JournalCursor & {
    readonly checkpoint: { readonly position: number; readonly state: unknown } | null;
  })[];
  /** Rows that are missing in the lists because they cannot be read. */
  readonly damaged: readonly DamagedRow[];
  readonly lastSeq: number;
}

export interface Commit {
  /** `seq` of the batch's first event; `lastSeq + 1` for a batch without events. */
  readonly firstSeq: number;
  /** The batch's events as `readLines` returns them, so that they do not have to be encoded again. */
  readonly lines: readonly string[];
}

export interface Store {
  /**
   * @throws {OrchdError} ORCHD_STORE_FULL if the disk is full: no part of the batch is written, and the caller may try
   *   again. A later, smaller batch may still be written. A caller that must keep the order waits for each commit
   *   before the next one. Any other error concerns only this batch, too.
   */
  commit(batch: Batch): Promise<Commit>;
  /** Returns events in order; fewer than `limit` only at the end of the log. */
  readEvents(query: EventQuery): Promise<StoredEvent[]>;
  /** Returns the same events as lines, for streams, which then neither parse nor encode them. */
  readLines(query: EventQuery): Promise<EventLine[]>;
  /** Returns the oldest `seq` in the log; `lastSeq + 1` for an empty log. */
  firstSeq(): Promise<number>;
  /** Returns the `seq` of the first event that is not older than a time (RFC 3339); `lastSeq + 1` if all are older. */
  seqAt(timestamp: string): Promise<number>;
  load(): Promise<StoredState>;
  /**
   * Removes the events before a `seq`. Numbering continues as before.
   *
   * @returns The number of removed events.
   */
  prune(beforeSeq: number): Promise<number>;
  /** Writes all earlier commits, then closes. Later calls fail with ORCHD_INTERNAL. */
  close(): Promise<void>;
}

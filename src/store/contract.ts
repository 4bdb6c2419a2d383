/**
 * The store: the event log and what must never disagree with it (cursors, sessions, items, blueprints, runs, tasks,
 * workflows), behind one interface.
 *
 * A batch is written whole or not at all, and is on disk when `commit` resolves. Batches keep the order of their
 * `commit` calls. Sequence numbers are given at the commit, from 1, without gaps, and are never used twice, whatever
 * crashes or is pruned.
 *
 * A batch is taken as JSON when `commit` is called: what the caller changes later changes nothing here. A `seq` in a
 * new event is ignored. The queue before the store has no bound of its own: it holds what callers wait for, and they
 * are the ones to stop reading (the daemon does, by the host's flow control).
 */

/** An event before it has its place; `timestamp` and fields as in protocol/events.schema.json. */
export interface NewEvent {
  readonly event_type: string;
  readonly timestamp: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}
export interface StoredEvent extends NewEvent {
  readonly seq: number;
}

/** An event as a line of NDJSON without its newline, `seq` first: what a stream sends, ready made. */
export interface EventLine {
  readonly seq: number;
  readonly line: string;
}

/** How far a session's journal has become events, and from where to hear it again. */
export interface Cursor {
  readonly sessionId: string;
  /** Everything before this journal position is in the log. */
  readonly position: number;
  /** State of the ears at a position ≤ `position`; null: start at 0. Left as it stands in the store where undefined. */
  readonly checkpoint?: { readonly position: number; readonly state: unknown } | null;
}

/** A row of the store that replaces the one with its id. `value` is JSON. */
export interface Row {
  readonly id: string;
  readonly value: unknown;
}

/** What rows there are, each kind in the order of their first commit. */
export const ROW_KINDS = ['sessions', 'items', 'blueprints', 'runs', 'tasks', 'workflows', 'workflowSteps'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

export interface Batch extends Partial<Readonly<Record<RowKind, readonly Row[]>>> {
  readonly events: readonly NewEvent[];
  readonly cursors?: readonly Cursor[];
  /** Rows that go, by id; of a session its cursor as well. They go last, whatever else the batch says of them. */
  readonly removes?: Partial<Readonly<Record<RowKind, readonly string[]>>>;
}

export interface EventQuery {
  /** Events with a `seq` greater than this. */
  readonly since: number;
  readonly limit: number;
  /** Only these; none of them for `[]`, all where undefined. */
  readonly types?: readonly string[];
  readonly sessionId?: string;
}

export interface StoredState extends Readonly<Record<RowKind, readonly Row[]>> {
  readonly cursors: readonly (Cursor & {
    readonly checkpoint: { readonly position: number; readonly state: unknown } | null;
  })[];
  readonly lastSeq: number;
}

export interface Commit {
  /** `seq` of the batch's first event; `lastSeq + 1` for a batch without events. */
  readonly firstSeq: number;
  /** The batch's events as `readLines` gives them, so that nobody has to encode them again. */
  readonly lines: readonly string[];
}

export interface Store {
  /**
   * @throws {OrchdError} ORCHD_STORE_FULL when the disk takes no more: nothing of the batch is written, and the caller
   *   may try
   *   again. Every commit that waits at that moment fails with it, so that no later batch is written before an earlier
   *   one.
   *   Any other error is the batch's own: those beside it are written.
   */
  commit(batch: Batch): Promise<Commit>;
  /** Events in order; fewer than `limit` only at the end of the log. */
  readEvents(query: EventQuery): Promise<StoredEvent[]>;
  /** The same as lines: for streams, which then neither parse nor encode. */
  readLines(query: EventQuery): Promise<EventLine[]>;
  /** The oldest `seq` that is kept; `lastSeq + 1` of an empty log. */
  firstSeq(): Promise<number>;
  /**
   * The first event from which on events are not older than a time (RFC 3339, as in events); `lastSeq + 1` if all are.
   */
  seqAt(timestamp: string): Promise<number>;
  load(): Promise<StoredState>;
  /**
   * Forgets the events before a `seq`; numbers go on as if they were there.
   *
   * @returns  How many there were.
   */
  prune(beforeSeq: number): Promise<number>;
  /** Writes what was committed before, then closes. Whatever comes after it fails with ORCHD_INTERNAL. */
  close(): Promise<void>;
}

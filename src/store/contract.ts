/**
 * The store: the event log and what must never disagree with it (cursors, sessions, items), behind one interface.
 *
 * A batch is written whole or not at all, and is on disk when `commit` resolves. Batches keep the order of their `commit` calls.
 * Sequence numbers are given at the commit, from 1, without gaps, and are never used twice, whatever crashes.
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

export interface Batch {
  readonly events: readonly NewEvent[];
  readonly sessions?: readonly Row[];
  readonly items?: readonly Row[];
  readonly cursors?: readonly Cursor[];
}

export interface EventQuery {
  /** Events with a `seq` greater than this. */
  readonly since: number;
  readonly limit: number;
  readonly types?: readonly string[];
  readonly sessionId?: string;
}

export interface StoredState {
  /** In the order of their first commit. */
  readonly sessions: readonly Row[];
  readonly items: readonly Row[];
  readonly cursors: readonly (Cursor & {
    readonly checkpoint: { readonly position: number; readonly state: unknown } | null;
  })[];
  readonly lastSeq: number;
}

export interface Store {
  /**
   * @returns  `seq` of the batch's first event; a batch without events resolves with `lastSeq + 1`.
   * @throws {OrchdError} ORCHD_STORE_FULL when the disk is full: nothing of the batch is written, and the caller may try again.
   */
  commit(batch: Batch): Promise<{ firstSeq: number }>;
  /** Events in order; fewer than `limit` only at the end of the log. */
  readEvents(query: EventQuery): Promise<StoredEvent[]>;
  /** The oldest `seq` that is kept; `lastSeq + 1` of an empty log. */
  firstSeq(): Promise<number>;
  load(): Promise<StoredState>;
  close(): Promise<void>;
}

/**
 * How batches become text before they are stored, the same for every backend.
 *
 * In:   a batch as the caller gave it.
 * Out:  its events and rows as JSON text. JSON.stringify escapes NUL and lone surrogates, which SQLite does not keep.
 * Promises that a batch which cannot be stored (a BigInt, a cycle, no event_type) fails here, before it is queued.
 */
import { OrchdError } from '../protocol/index.js';
import {
  type Batch,
  type Cursor,
  type EventLine,
  type NewEvent,
  ROW_KINDS,
  type Row,
  type RowKind,
  type StoredEvent,
  type StoredState,
} from './contract.js';

export interface EncodedEvent {
  readonly type: string;
  readonly sessionId: string | null;
  readonly timestamp: string;
  /** The event's JSON without `seq`. */
  readonly text: string;
}
export interface EncodedRow {
  readonly id: string;
  readonly text: string;
}
export interface EncodedCursor {
  readonly sessionId: string;
  readonly position: number;
  /** undefined: leave the one that is stored; null: none. */
  readonly checkpoint: EncodedCheckpoint | null | undefined;
}
export interface EncodedCheckpoint {
  readonly position: number;
  readonly text: string;
}
export interface EncodedBatch {
  readonly events: readonly EncodedEvent[];
  /** Of the kinds that the batch has rows of. */
  readonly rows: readonly (readonly [RowKind, readonly EncodedRow[]])[];
  readonly cursors: readonly EncodedCursor[];
  /** Ids. */
  readonly removed: readonly (readonly [RowKind, readonly string[]])[];
}
/** What a store holds beside events. */
export interface EncodedState {
  readonly rows: Readonly<Record<RowKind, readonly EncodedRow[]>>;
  readonly cursors: readonly (EncodedCursor & { readonly checkpoint: EncodedCheckpoint | null })[];
  readonly lastSeq: number;
}

const NONE: readonly never[] = [];

/** @throws {OrchdError} ORCHD_INTERNAL for a batch that is no JSON. */
export function encodeBatch(batch: Batch): EncodedBatch {
  try {
    return {
      events: batch.events.map(encodeEvent),
      rows: byKind(batch, encodeRow),
      cursors: batch.cursors?.map(encodeCursor) ?? NONE,
      removed: batch.removes ? byKind(batch.removes, encodeKey) : NONE,
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OrchdError('ORCHD_INTERNAL', `a batch cannot be stored: ${reason}`, undefined, cause);
  }
}

/** Of the kinds that there is something of. */
function byKind<T, U>(all: Partial<Record<RowKind, readonly T[]>>, encode: (one: T) => U): [RowKind, U[]][] {
  const found: [RowKind, U[]][] = [];
  for (const kind of ROW_KINDS) {
    const some = all[kind];
    if (some && some.length > 0) found.push([kind, some.map(encode)]);
  }
  return found;
}

/** The same for every kind of rows. */
export function eachKind<T>(make: (kind: RowKind) => T): Record<RowKind, T> {
  return Object.fromEntries(ROW_KINDS.map((kind) => [kind, make(kind)])) as Record<RowKind, T>; // every kind is there
}

function encodeEvent(event: NewEvent): EncodedEvent {
  const { event_type: type, timestamp, session_id: sessionId = null } = event;
  if (typeof type !== 'string' || typeof timestamp !== 'string') {
    throw new TypeError('an event needs event_type and timestamp');
  }
  // A `seq` of its own would stand beside the one that the log gives.
  const text = JSON.stringify('seq' in event ? { ...event, seq: undefined } : event);
  return { type: encodeKey(type), sessionId: sessionId === null ? null : encodeKey(sessionId), timestamp, text };
}

const encodeRow = ({ id, value }: Row): EncodedRow => ({ id: encodeKey(id), text: encodeValue(value) });

const encodeCursor = ({ sessionId, position, checkpoint }: Cursor): EncodedCursor => {
  for (const place of [position, checkpoint?.position ?? 0]) {
    if (!Number.isSafeInteger(place) || place < 0) throw new TypeError(`a cursor at ${place}`);
  }
  return {
    sessionId: encodeKey(sessionId),
    position,
    checkpoint: checkpoint && { position: checkpoint.position, text: encodeValue(checkpoint.state) },
  };
};

/** JSON.stringify gives undefined for undefined and functions, which no column can hold. */
const encodeValue = (value: unknown): string => JSON.stringify(value) ?? 'null';

/**
 * A string as a key in a column: itself, or as JSON where SQLite would change it (NUL, lone surrogates) or it looks
 * like JSON. Ids of ours are always themselves.
 */
export function encodeKey(key: string): string {
  return /^"|\0|\p{Surrogate}/u.test(key) ? JSON.stringify(key) : key;
}
function decodeKey(key: string): string {
  return key.startsWith('"') ? String(JSON.parse(key)) : key;
}

/** The event's line: `{"seq":7,"event_type":…}`. */
export function lineOf(seq: number, text: string): string {
  return `{"seq":${seq},${text.slice(1)}`;
}

export function parseLine({ line }: EventLine): StoredEvent {
  return JSON.parse(line) as StoredEvent; // what `lineOf` made of a NewEvent
}

export function decodeState(state: EncodedState): StoredState {
  return {
    ...eachKind((kind) => state.rows[kind].map(decodeRow)),
    cursors: state.cursors.map(({ sessionId, position, checkpoint }) => ({
      sessionId: decodeKey(sessionId),
      position,
      checkpoint: checkpoint && { position: checkpoint.position, state: JSON.parse(checkpoint.text) },
    })),
    lastSeq: state.lastSeq,
  };
}
const decodeRow = ({ id, text }: EncodedRow): Row => ({ id: decodeKey(id), value: JSON.parse(text) });

/**
 * Serializes batches before they are stored, for every backend.
 *
 * In:   a batch from the caller.
 * Out:  its events and rows as JSON text. JSON.stringify escapes NUL and lone surrogates, which SQLite does not store.
 * A batch that cannot be serialized (a BigInt, a cycle, no event_type) fails here, before it is queued.
 */
import { errorMessage, OrchdError } from '../protocol/index.js';
import {
  type Batch,
  type DamagedRow,
  type EventLine,
  type JournalCursor,
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
  /** Undefined keeps the stored checkpoint; null removes it. */
  readonly checkpoint: EncodedCheckpoint | null | undefined;
}
export interface EncodedCheckpoint {
  readonly position: number;
  readonly text: string;
}
export interface EncodedBatch {
  readonly events: readonly EncodedEvent[];
  /** Rows by kind; only the kinds in the batch. */
  readonly rows: readonly (readonly [RowKind, readonly EncodedRow[]])[];
  readonly cursors: readonly EncodedCursor[];
  /** Ids to remove, by kind. */
  readonly removed: readonly (readonly [RowKind, readonly string[]])[];
}
/** The content of a store except its events. */
export interface EncodedState {
  readonly rows: Readonly<Record<RowKind, readonly EncodedRow[]>>;
  readonly cursors: readonly (EncodedCursor & { readonly checkpoint: EncodedCheckpoint | null })[];
  readonly lastSeq: number;
}

const NONE: readonly never[] = [];

/** @throws {OrchdError} ORCHD_INTERNAL if the batch cannot be serialized. */
export function encodeBatch(batch: Batch): EncodedBatch {
  try {
    return {
      events: batch.events.map(encodeEvent),
      rows: byKind(batch, encodeRow),
      cursors: batch.cursors?.map(encodeCursor) ?? NONE,
      removed: batch.removes ? byKind(batch.removes, encodeKey) : NONE,
    };
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new OrchdError('ORCHD_INTERNAL', `a batch cannot be stored: ${reason}`, undefined, cause);
  }
}

/** Encodes the kinds that have entries. */
function byKind<T, U>(all: Partial<Record<RowKind, readonly T[]>>, encode: (one: T) => U): [RowKind, U[]][] {
  const found: [RowKind, U[]][] = [];
  for (const kind of ROW_KINDS) {
    const some = all[kind];
    if (some && some.length > 0) found.push([kind, some.map(encode)]);
  }
  return found;
}

/** Creates a value for every kind of rows. */
export function eachKind<T>(make: (kind: RowKind) => T): Record<RowKind, T> {
  return Object.fromEntries(ROW_KINDS.map((kind) => [kind, make(kind)])) as Record<RowKind, T>; // it has every kind
}

function encodeEvent(event: NewEvent): EncodedEvent {
  const { event_type: type, timestamp, session_id: sessionId = null } = event;
  if (typeof type !== 'string' || typeof timestamp !== 'string') {
    throw new TypeError('an event needs event_type and timestamp');
  }
  // If the event had a `seq`, it would conflict with the one that the log assigns.
  const text = JSON.stringify('seq' in event ? { ...event, seq: undefined } : event);
  return { type: encodeKey(type), sessionId: sessionId === null ? null : encodeKey(sessionId), timestamp, text };
}

const encodeRow = ({ id, value }: Row): EncodedRow => ({ id: encodeKey(id), text: encodeValue(value) });

const encodeCursor = ({ sessionId, position, checkpoint }: JournalCursor): EncodedCursor => {
  for (const place of [position, checkpoint?.position ?? 0]) {
    if (!Number.isSafeInteger(place) || place < 0) throw new TypeError(`a cursor at ${place}`);
  }
  return {
    sessionId: encodeKey(sessionId),
    position,
    checkpoint: checkpoint && { position: checkpoint.position, text: encodeValue(checkpoint.state) },
  };
};

/** JSON.stringify returns undefined for undefined and functions, which cannot be stored. */
const encodeValue = (value: unknown): string => JSON.stringify(value) ?? 'null';

/**
 * Encodes a key for a column: unchanged, or as JSON if SQLite would change it (NUL, lone surrogates) or if it looks
 * like JSON. Ids of orchd never need it.
 */
export function encodeKey(key: string): string {
  return /^"|\0|\p{Surrogate}/u.test(key) ? JSON.stringify(key) : key;
}
/** A key that was damaged is returned as it is. */
function decodeKey(key: string): string {
  return key.startsWith('"') ? String(decodeValue(key) ?? key) : key;
}

/** Returns the event's line: `{"seq":7,"event_type":…}`. */
export function lineOf(seq: number, text: string): string {
  return `{"seq":${seq},${text.slice(1)}`;
}

/** @throws {OrchdError} ORCHD_STORE_CORRUPT if the event was damaged on disk. */
export function parseLine({ seq, line }: EventLine): StoredEvent {
  const event = decodeValue(line);
  if (!isEvent(event))
    throw new OrchdError('ORCHD_STORE_CORRUPT', `event ${seq} is damaged: it is no JSON of an event`);
  return event;
}

/** Replaces the line of an event that was damaged on disk by a `gap`, so that it does not end a stream. */
export function soundLine({ seq, line }: EventLine): EventLine {
  if (isEvent(decodeValue(line))) return { seq, line };
  return { seq, line: JSON.stringify({ event_type: 'gap', from: seq, to: seq, reason: 'damaged' }) };
}

/** True for a line that `lineOf` encoded, and for a `gap`. */
function isEvent(value: unknown): value is StoredEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { event_type: type, timestamp } = value as Partial<StoredEvent>; // Each field is checked below.
  return typeof type === 'string' && (typeof timestamp === 'string' || type === 'gap');
}

/** Decodes what a store holds. Rows and checkpoints that are not JSON are left out, and listed in `damaged`. */
export function decodeState(state: EncodedState): StoredState {
  const damaged: DamagedRow[] = [];
  const decode = (kind: RowKind, { id, text }: EncodedRow): Row[] => {
    const value = decodeValue(text);
    if (value !== undefined) return [{ id: decodeKey(id), value }];
    damaged.push({ kind, id, text });
    return [];
  };
  const rows = eachKind((kind) => state.rows[kind].flatMap((row) => decode(kind, row)));
  const isPlace = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
  const cursors = state.cursors.flatMap(({ sessionId, position, checkpoint }) => {
    // Without a cursor, the session continues at the position that its own row contains.
    if (!isPlace(position)) {
      damaged.push({ kind: 'cursor', id: sessionId, text: String(position) });
      return [];
    }
    const value = checkpoint && decodeValue(checkpoint.text);
    // Without a checkpoint, the session's journal is read again from the beginning.
    if (checkpoint && value === undefined) damaged.push({ kind: 'checkpoint', id: sessionId, text: checkpoint.text });
    const isWhole = checkpoint !== null && value !== undefined && isPlace(checkpoint.position);
    return [
      {
        sessionId: decodeKey(sessionId),
        position,
        checkpoint: isWhole ? { position: checkpoint.position, state: value } : null,
      },
    ];
  });
  return { ...rows, cursors, damaged, lastSeq: state.lastSeq };
}

/** Returns undefined for a text that is not JSON. */
function decodeValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The journal's records as bytes, and back. protocol/journal.md is the specification; this file is its implementation.
 *
 *   record   crc32 u32 · payload length u32 · kind u8 · flags u8 (0) · time u48 (ms since the epoch) · payload
 *   payload  kind `out`: the bytes; every other kind: a JSON object in UTF-8
 *
 * Numbers are little-endian. The CRC-32 (that of zlib and gzip) covers everything after itself, the payload included. A
 * record never spans two segments. Kinds are never given another meaning; a reader passes over a kind that it does not
 * know. Knows nothing of files and of positions beyond adding them: a record's bytes are the same wherever it stands.
 */
import { crc32 } from 'node:zlib';
import type { JournalRecord } from '../contract.js';

/** Bytes before a payload. */
export const HEADER_BYTES = 16;
/** Byte `i` of an `out` record's payload is at journal position `position + OUT_HEADER_BYTES + i`. */
export const OUT_HEADER_BYTES = HEADER_BYTES;
/**
 * Maximum length of a payload; a larger one is damage. The longest real payload is a note, and a request has at most 4
 * MiB.
 */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

export const KIND_NUMBERS = {
  start: 1,
  out: 2,
  resize: 3,
  input: 4,
  reply: 5,
  note: 6,
  tick: 7,
  exit: 8,
  pause: 9,
  snapshot: 10,
} as const satisfies Record<JournalRecord['kind'], number>;

const KIND_NAMES = new Map<number, JournalRecord['kind']>(
  // Object.entries loses the type of the object's keys.
  Object.entries(KIND_NUMBERS).map(([name, number]) => [number, name as JournalRecord['kind']]),
);

type WithoutPlace<R> = R extends JournalRecord ? Omit<R, 'position' | 'end' | 'time' | 'bytesPosition'> : never;
/** A record without its position and time. */
export type JournalEntry = WithoutPlace<JournalRecord>;

/** @returns The whole record, header and payload. */
export function encodeRecord(entry: JournalEntry, time: number): Buffer {
  const payload = entry.kind === 'out' ? entry.bytes : encodePayload(entry);
  const record = Buffer.allocUnsafe(HEADER_BYTES + payload.byteLength);
  record.set(payload, HEADER_BYTES);
  sealHeader(record, entry.kind, payload.byteLength, time);
  return record;
}

function encodePayload(entry: JournalEntry): Buffer {
  const { kind: _, ...fields } = entry;
  return Buffer.from(JSON.stringify(fields), 'utf8');
}

/** Fills in the header before a payload that is already at HEADER_BYTES. Output is thereby copied only once. */
export function sealHeader(record: Buffer, kind: JournalEntry['kind'], payloadBytes: number, time: number): void {
  record.writeUInt32LE(payloadBytes, 4);
  record[8] = KIND_NUMBERS[kind];
  record[9] = 0;
  record.writeUIntLE(time, 10, 6);
  record.writeUInt32LE(crc32(record.subarray(4, HEADER_BYTES + payloadBytes)), 0);
}

type Decoded =
  /** `record` is null if its kind is unknown. */
  | { readonly state: 'record'; readonly record: JournalRecord | null; readonly bytes: number }
  /** The buffer does not hold the whole record, which needs `bytes` bytes. */
  | { readonly state: 'short'; readonly bytes: number }
  | { readonly state: 'bad'; readonly detail: string };

/**
 * Reads the record that begins at `offset`.
 *
 * @param position  Journal position of that record.
 * @returns         `out` bytes are a view into `buffer`.
 */
export function decodeRecord(buffer: Buffer, offset: number, position: number): Decoded {
  const available = buffer.length - offset;
  if (available < HEADER_BYTES) return { state: 'short', bytes: HEADER_BYTES };
  const payloadBytes = buffer.readUInt32LE(offset + 4);
  if (payloadBytes > MAX_PAYLOAD_BYTES) return { state: 'bad', detail: `a length of ${payloadBytes} bytes` };
  const bytes = HEADER_BYTES + payloadBytes;
  if (available < bytes) return { state: 'short', bytes };
  if (crc32(buffer.subarray(offset + 4, offset + bytes)) !== buffer.readUInt32LE(offset)) {
    return { state: 'bad', detail: 'the checksum does not fit' };
  }
  const kind = KIND_NAMES.get(buffer[offset + 8] ?? 0);
  if (kind === undefined) return { state: 'record', record: null, bytes };
  const base = { position, end: position + bytes, time: buffer.readUIntLE(offset + 10, 6) };
  const payload = buffer.subarray(offset + HEADER_BYTES, offset + bytes);
  if (kind === 'out') {
    const record = { ...base, kind, bytes: payload, bytesPosition: position + OUT_HEADER_BYTES };
    return { state: 'record', record, bytes };
  }
  try {
    // The checksum guarantees that `encodeRecord` wrote these bytes for a record of this kind.
    const record = { ...base, kind, ...JSON.parse(payload.toString('utf8')) } as JournalRecord;
    return { state: 'record', record, bytes };
  } catch {
    return { state: 'bad', detail: 'a payload that is no JSON' };
  }
}

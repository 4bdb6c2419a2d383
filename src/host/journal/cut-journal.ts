/**
 * Cuts a journal: drops everything before a position, and lets the journal begin with a snapshot record. See
 * protocol/journal.md.
 *
 *     before   [ segment 0 ][ segment 1 ][ segment 2 ][ segment 3 …
 *                  kept ▒▒               ▲ at
 *     after          [▒▒]            [ S ][rest of 2][ segment 3 …
 *
 * The snapshot record S ends at `at`, so positions do not change. Ranges that are still needed stay as small segments.
 * New files are complete before old ones are removed: a process that is killed in between leaves too many files, never
 * too few.
 *
 * Only the daemon calls it, and never for the segment to which the host appends.
 */
import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from './read-pieces.js';
import { encodeRecord, type JournalEntry, MAX_PAYLOAD_BYTES } from './record-codec.js';
import { encodeSegmentHeader, listSegments, SEGMENT_HEADER_BYTES, segmentPath } from './segment.js';

interface Cut {
  /** The directory of all journals. */
  readonly journals: string;
  readonly sessionId: string;
  /** The end of a record. All records before it are dropped. */
  readonly at: number;
  readonly snapshot: Extract<JournalEntry, { kind: 'snapshot' }>;
  /** Time of the last record before `at`, in milliseconds. */
  readonly time: number;
  /** Ranges of journal positions whose records are kept. */
  readonly kept: readonly Range[];
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * @returns Number of bytes dropped. 0 if the journal was not changed: the cut would save nothing, `at` is in the last
 *   segment, or a kept range would overlap the snapshot record.
 * @throws The system's error, such as a full disk; the journal is unchanged then.
 */
export function cutJournal({ journals, sessionId, at, snapshot, time, kept }: Cut): number {
  const directory = join(journals, sessionId);
  const segments = listSegments(directory);
  const holds = segments.findLastIndex((first) => first <= at);
  const next = segments[holds + 1];
  const record = encodeRecord(snapshot, time);
  const begin = at - record.length;
  const oldest = segments[0];
  if (holds < 0 || next === undefined || oldest === undefined || begin <= oldest) return 0;
  if (record.length > MAX_PAYLOAD_BYTES) return 0;
  const pieces = kept.map((range) =>
    wholeRecords(journals, sessionId, { from: range.from, to: Math.min(range.to, at) }),
  );
  if (pieces.some((piece) => piece !== null && piece.to > begin)) return 0;
  const before = sizeOf(directory, segments);
  const files = new Map<number, Buffer>([[begin, Buffer.concat([record, bytesAt(directory, at, next)])]]);
  for (const { from, to } of joined(pieces)) files.set(from, bytesAt(directory, from, to));
  try {
    for (const [first, bytes] of files) {
      const path = `${segmentPath(directory, first)}.new`;
      writeFileSync(path, Buffer.concat([encodeSegmentHeader(first), bytes]), { mode: 0o600 });
    }
  } catch (cause) {
    clearNew(directory);
    throw cause;
  }
  for (const first of files.keys()) renameSync(`${segmentPath(directory, first)}.new`, segmentPath(directory, first));
  for (const first of segments)
    if (first < next && !files.has(first)) rmSync(segmentPath(directory, first), { force: true });
  return Math.max(0, before - sizeOf(directory, listSegments(directory)));
}

/** Removes the unfinished files of a cut during which the process was killed. */
export function clearNew(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.endsWith('.journal.new')) rmSync(join(directory, name), { force: true });
  }
}

const sizeOf = (directory: string, segments: readonly number[]): number =>
  segments.reduce((sum, first) => {
    const size = statSync(segmentPath(directory, first), { throwIfNoEntry: false })?.size ?? 0;
    return sum + Math.max(0, size - SEGMENT_HEADER_BYTES);
  }, 0);

/** Returns the positions of the records that hold a part of a range; null if there are none. */
function wholeRecords(journals: string, sessionId: string, { from, to }: Range): Range | null {
  let found: Range | null = null;
  readRecords(journals, sessionId, from, ({ position, end }) => {
    if (position >= to) return false;
    if (end > from) found = { from: Math.min(found?.from ?? position, position), to: end };
    return true;
  });
  return found;
}

/** Sorts and merges ranges, so that they do not overlap. */
function joined(ranges: readonly (Range | null)[]): Range[] {
  const sorted = ranges.filter((range) => range !== null).sort((a, b) => a.from - b.from);
  const result: Range[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last && range.from <= last.to) result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else result.push(range);
  }
  return result;
}

/** Reads a range from one segment or several. Unreadable parts are left out. */
function bytesAt(directory: string, from: number, to: number): Buffer {
  const parts: Buffer[] = [];
  const segments = listSegments(directory);
  for (let at = from; at < to; ) {
    const index = segments.findLastIndex((first) => first <= at);
    const first = segments[index];
    if (first === undefined) break;
    const until = Math.min(to, segments[index + 1] ?? to);
    const part = Buffer.alloc(until - at);
    const fd = openSync(segmentPath(directory, first), 'r');
    try {
      const bytes = readSync(fd, part, 0, part.length, SEGMENT_HEADER_BYTES + at - first);
      parts.push(part.subarray(0, bytes));
    } finally {
      closeSync(fd);
    }
    at = until;
  }
  return Buffer.concat(parts);
}

/**
 * Journal reader: a session's records in order, from the files, while the host may still be appending to them.
 *
 * In:   `read(limit)`: an end that the host has announced, or Infinity for everything that is complete.
 * Out:  records, each once; damage, each once. Nothing is written, and no content of the files makes it throw.
 *
 * An announced record that cannot be read is damage: reading continues at the next segment, or at `limit`, which is a
 * boundary of records. Bytes after the last whole record of the last segment are a torn tail: the host was writing, or
 * was stopped while it wrote. Records borrow a scratch buffer shared by all readers of the process, so that a reader at
 * rest costs a descriptor and little else.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../contract.js';
import { isNoteOf, isPassedOver, PASSED_OVER, type PassedOver, readPassedOver } from './passed-over.js';
import { decodeRecord } from './record-codec.js';
import { checkSegmentHeader, listSegments, SEGMENT_HEADER_BYTES, segmentPath, snapshotAt } from './segment.js';

/** Size of the read buffer: four batches of the output collector. */
const BUFFER_BYTES = 256 * 1024;

/** The detail of a gap that retention made on purpose. */
export const DROPPED = 'it was dropped, because the journal has a limit (retention.session_bytes)';

export interface Damage {
  /** Journal positions between which no record can be read. */
  readonly from: number;
  readonly to: number;
  readonly detail: string;
}
export interface TornTail {
  /** End of the last complete record. */
  readonly position: number;
  /** Number of bytes that follow it. */
  readonly bytes: number;
  readonly detail: string;
}
export interface ReadOutcome {
  /** End of the last record that was read or skipped. The next `read` continues there. */
  readonly position: number;
  readonly damaged: readonly Damage[];
  readonly torn: TornTail | null;
}
export interface JournalReader {
  /** Position at which the next `read` continues. */
  readonly position: number;
  /**
   * Reads the records that end at or before `limit`.
   *
   * @param limit     A position that the host has announced, or Infinity.
   * @param onRecord  Called for each; `bytes` of output are valid until it returns. `false` stops after this record.
   */
  read(limit: number, onRecord: OnRecord): ReadOutcome;
  /**
   * Skips the records that end at or before `position`.
   * @param position  If it is within a record, that whole record is the next one.
   */
  passTo(position: number): void;
  close(): void;
}
// biome-ignore lint/suspicious/noConfusingVoidType: a callback that returns nothing goes on.
export type OnRecord = (record: JournalRecord) => boolean | void;

/**
 * Opens a session's journal for reading. Opening touches no file; a journal that does not exist (yet) has no records.
 *
 * @param journals  The directory of all journals.
 * @param from      Where to begin: the start of a record. Within a record: that whole record is the first.
 */
export function openJournal(journals: string, sessionId: string, { from = 0 } = {}): JournalReader {
  return new FileReader(join(journals, sessionId), from);
}

/** Maximum distance of a note from its remembered position: other records may have been appended before it. */
const NOTE_WITHIN_BYTES = 4 * 1024 * 1024;

/** Returns the slices of a journal that are passed over, which its notes list. */
function notedSlices(directory: string): PassedOver[] {
  return readPassedOver(directory).filter((slice) => {
    const reader = new FileReader(directory, slice.note, true);
    let isNoted = false;
    reader.read(Number.POSITIVE_INFINITY, (record) => {
      isNoted = isNoteOf(slice, record);
      return !isNoted && record.end - slice.note < NOTE_WITHIN_BYTES;
    });
    reader.close();
    return isNoted;
  });
}

/** Returns the parts of a journal that were dropped or passed over on purpose, without reading it. */
export function knownGaps(journals: string, sessionId: string): Damage[] {
  const directory = join(journals, sessionId);
  const oldest = listSegments(directory)[0] ?? 0;
  const cutAt = snapshotAt(directory);
  const dropped = cutAt === null ? [] : [{ from: 0, to: Math.max(oldest, cutAt), detail: DROPPED }];
  return [...dropped, ...notedSlices(directory).map(({ from, to }) => ({ from, to, detail: PASSED_OVER }))];
}

/** One buffer is shared by all readers. A reader that is used within another reader's callback allocates its own. */
let spare: Buffer | null = null;
const borrow = (): Buffer => {
  const buffer = spare ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  spare = null;
  return buffer;
};

class FileReader implements JournalReader {
  position: number;
  readonly #directory: string;
  /** Records before this position were not requested, or were already reported. */
  #reported: number;
  #fd = -1;
  #first = -1;
  #damaged: Damage[] = [];
  #torn: TornTail | null = null;
  /** The slices to skip. Null until they were read from the disk. */
  #passedOver: readonly PassedOver[] | null;

  /** @param isComplete  True to read the skipped slices as well. */
  constructor(directory: string, from: number, isComplete = false) {
    this.#directory = directory;
    this.#passedOver = isComplete ? [] : null;
    this.#reported = from;
    this.position = from;
  }

  read(limit: number, onRecord: OnRecord): ReadOutcome {
    let buffer = borrow();
    this.#damaged = [];
    this.#torn = null;
    try {
      while (this.position < limit && (this.#fd >= 0 || this.#openSegment(limit))) {
        const filled = this.#fill(buffer, limit);
        const step = this.#decode(buffer.subarray(0, filled), onRecord);
        if (step.kind === 'stopped') break;
        if (step.kind === 'moved') continue;
        if (step.kind === 'short' && step.bytes > buffer.length) {
          buffer = Buffer.allocUnsafeSlow(step.bytes);
          continue;
        }
        const detail = step.kind === 'bad' ? step.detail : 'the record is cut';
        if (this.#nextSegment(limit, detail)) continue;
        // If no file is open, `#open` has already reported the problem of the next segment.
        if (filled > 0 && this.#fd >= 0) this.#torn = { position: this.position, bytes: this.#remaining(), detail };
        break;
      }
    } finally {
      if (buffer.length === BUFFER_BYTES) spare = buffer;
    }
    return { position: this.position, damaged: this.#damaged, torn: this.#torn };
  }

  passTo(position: number): void {
    if (position <= this.#reported) return;
    this.#reported = position;
    if (this.#fd >= 0 && position <= this.#segmentEnd()) return; // it is not far
    this.close();
    this.position = position;
  }

  close(): void {
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  /** Reads from `position` on, at most to `limit`. */
  #fill(buffer: Buffer, limit: number): number {
    const want = Math.min(buffer.length, limit - this.position);
    return readSync(this.#fd, buffer, 0, want, this.#fileOffset());
  }

  /** Calls `onRecord` for the whole records of `view`, which begins at `position`. */
  #decode(view: Buffer, onRecord: OnRecord): Step {
    let offset = 0;
    for (;;) {
      const decoded = decodeRecord(view, offset, this.position);
      // The bytes after the first record may be complete after the next fill.
      if (decoded.state === 'short') return offset > 0 ? { kind: 'moved' } : { kind: 'short', bytes: decoded.bytes };
      if (decoded.state === 'bad') return { kind: 'bad', detail: decoded.detail };
      offset += decoded.bytes;
      this.position += decoded.bytes;
      if (!decoded.record || this.position <= this.#reported) continue;
      this.#reported = this.position;
      this.#passedOver ??= notedSlices(this.#directory);
      if (this.#passedOver.length > 0 && isPassedOver(decoded.record, this.#passedOver)) {
        this.#passOver(decoded.record);
        continue;
      }
      if (onRecord(decoded.record) === false) return { kind: 'stopped' };
    }
  }

  /** Reports a skipped record as a gap. Neighbouring skipped records are one gap. */
  #passOver({ position, end }: JournalRecord): void {
    const last = this.#damaged.at(-1);
    const from = last?.detail === PASSED_OVER && last.to === position ? last.from : position;
    if (from !== position) this.#damaged.pop();
    this.#damaged.push({ from, to: end, detail: PASSED_OVER });
  }

  #fileOffset(): number {
    return SEGMENT_HEADER_BYTES + this.position - this.#first;
  }

  #remaining(): number {
    return this.#segmentEnd() - this.position;
  }

  #segmentEnd(): number {
    return this.#first + fstatSync(this.#fd).size - SEGMENT_HEADER_BYTES;
  }

  /** Opens the segment that holds `position` and goes back to its first record. */
  #openSegment(limit: number): boolean {
    const segments = listSegments(this.#directory);
    const first = segments.findLast((start) => start <= this.position);
    if (first !== undefined) return this.#open(first, limit);
    const later = segments[0];
    if (later === undefined) return false;
    this.#skipTo(later, 'the segments before are gone');
    return this.#open(later, limit);
  }

  #open(first: number, limit: number): boolean {
    this.close();
    this.#first = first;
    this.position = first;
    const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
    let bytes = 0;
    try {
      this.#fd = openSync(segmentPath(this.#directory, first), 'r');
      bytes = readSync(this.#fd, header, 0, header.length, 0);
    } catch {
      // The file was removed or made unreadable after it was listed. The check of its header reports that.
    }
    const problem = checkSegmentHeader(header.subarray(0, bytes), first);
    if (problem === null) return true;
    this.close();
    // The host may just have created this file and be about to write its header, so an empty file is no damage.
    if (!this.#nextSegment(limit, problem)) {
      this.#torn = { position: first, bytes, detail: problem };
      return false;
    }
    return this.#fd >= 0;
  }

  /**
   * Continues with the next segment because this one cannot be read further, or at `limit` if the host has announced
   * more.
   * @returns False if this is the last segment and the host has announced nothing after it.
   */
  #nextSegment(limit: number, detail: string): boolean {
    const next = listSegments(this.#directory).find((start) => start > this.#first && start >= this.position);
    if (next !== undefined) {
      if (next > this.position) this.#skipTo(next, detail);
      return this.#open(next, limit);
    }
    if (!Number.isFinite(limit) || limit <= this.position) return false;
    this.#skipTo(limit, detail);
    return true;
  }

  #skipTo(to: number, detail: string): void {
    if (to > this.#reported) {
      const cutAt = snapshotAt(this.#directory);
      const isDropped = cutAt !== null && to <= cutAt;
      this.#damaged.push({ from: this.position, to, detail: isDropped ? DROPPED : detail });
    }
    this.#reported = Math.max(this.#reported, to);
    this.position = to;
  }
}

/** How decoding a buffer ended. */
type Step =
  | { readonly kind: 'moved' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'short'; readonly bytes: number }
  | { readonly kind: 'bad'; readonly detail: string };

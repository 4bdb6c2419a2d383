/**
 * A journal in memory: makes records from entries without files, as the writer and a reader together would, for `orchd
 * parse` and tests.
 */
import type { JournalRecord } from '../contract.js';
import { decodeRecord, encodeRecord, type JournalEntry } from './record-codec.js';

interface JournalBuilder {
  /** Position of the next record. */
  readonly position: number;
  /**
   * @param time In ms. If it is missing or earlier than that of the last record, that one is used.
   * @returns The record as a reader would return it, with its own copy of the bytes.
   */
  append(entry: JournalEntry, time?: number): JournalRecord;
}

/** @param from  Position of the first record. */
export function createJournalBuilder(from = 0): JournalBuilder {
  let position = from;
  let last = 0;
  return {
    get position() {
      return position;
    },
    append(entry, time = last) {
      last = Math.max(last, time);
      const decoded = decodeRecord(encodeRecord(entry, last), 0, position);
      if (decoded.state !== 'record' || !decoded.record) throw new Error(`${entry.kind} is not a record`);
      position = decoded.record.end;
      return decoded.record;
    },
  };
}

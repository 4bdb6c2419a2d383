/**
 * A journal in memory: makes records of entries without files, as the writer and a reader together would, for `orchd parse` and tests.
 */
import type { JournalRecord } from './contract.js';
import { decodeRecord, encodeRecord, type JournalEntry } from './record-codec.js';

export interface JournalBuilder {
  /** Where the next record will stand. */
  readonly position: number;
  /**
   * @param time  In ms; the last one's if it is less or missing.
   * @returns     The record as a reader would give it; its bytes are its own.
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

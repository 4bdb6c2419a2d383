/** Reads a part of a session's journal: the printed output, and the records between. */
import { type Damage, type JournalRecord, readRecords } from '../../host/index.js';

export interface Printed {
  /** The printed bytes; only the first MAX_BYTES if there are more. */
  readonly bytes: Buffer;
  /** Number of bytes printed in the range. */
  readonly total: number;
  /** Time of the first record; null if the whole range was dropped. */
  readonly time: number | null;
  /** Records that are not output, for example an input or a note. */
  readonly records: readonly JournalRecord[];
  readonly damaged: readonly Damage[];
}

const MAX_BYTES = 8 * 1024;
const MAX_RECORDS = 16;

/** @param range  Journal positions: of bytes within records, or of records. */
export function readPrinted(journals: string, sessionId: string, range: { from: number; to: number }): Printed {
  const kept: Buffer[] = [];
  const records: JournalRecord[] = [];
  let [total, room] = [0, MAX_BYTES];
  let time: number | null = null;
  const take = (record: JournalRecord): boolean => {
    if (record.position >= range.to) return false;
    if (record.end <= range.from) return true;
    time ??= record.time;
    if (record.kind === 'out') {
      const first = Math.max(0, range.from - record.bytesPosition);
      const part = record.bytes.subarray(first, Math.max(first, range.to - record.bytesPosition));
      total += part.length;
      if (room > 0) kept.push(Buffer.from(part.subarray(0, room)));
      room -= part.length;
    } else if (records.length < MAX_RECORDS) records.push(record);
    return true;
  };
  const { damaged } = readRecords(journals, sessionId, range.from, take);
  const within = damaged.filter(({ from, to }) => from < range.to && to > range.from);
  return { bytes: Buffer.concat(kept), total, time, records, damaged: within };
}

/**
 * Made journals: records in memory, for texts and recordings that no host has journaled, and for tests.
 * A byte of output takes one position and every other record one, so that positions do not depend on how output is cut.
 */
import type { JournalRecord } from '../../host/contract.js';

/** A record without a position. If it has no time, it gets that of the previous record, or 0. */
export type Happening = JournalRecord extends infer R
  ? R extends JournalRecord
    ? Omit<R, 'position' | 'end' | 'time' | 'bytesPosition'> & { readonly time?: number }
    : never
  : never;

/** @returns A function that appends a record: it adds the next position. */
export function createRecorder(): (happening: Happening) => JournalRecord {
  let position = 0;
  let time = 0;
  return (happening) => {
    const end = position + (happening.kind === 'out' ? happening.bytes.length : 1);
    time = Math.max(time, happening.time ?? 0);
    const place = { position, end, time };
    position = end;
    return happening.kind === 'out'
      ? { ...happening, ...place, bytesPosition: place.position }
      : { ...happening, ...place };
  };
}

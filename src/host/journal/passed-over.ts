/**
 * Slices of a journal that readers pass over, because daemons ended while they read them. See protocol/journal.md.
 *
 * A `passed_over` note in the journal names the slice. The file `passed-over` beside the segments lists the positions
 * of these notes, so that a reader knows them before it reaches the slice. Each line is `FROM TO NOTE`, positions in
 * decimal; the note is at NOTE or shortly after it. A line without a matching note is ignored, because only the journal
 * is reliable.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../contract.js';
import { readOwnFile } from '../files/index.js';

export const PASSED_OVER_NOTE = 'passed_over';
/** The detail of a gap for skipped records. */
export const PASSED_OVER = 'it was passed over, because starts of the daemon ended while they heard it';
export interface PassedOver {
  readonly from: number;
  readonly to: number;
  /** Position of the note, or a position shortly before it. */
  readonly note: number;
}

const FILE = 'passed-over';
/**
 * Records that are never passed over: a session's beginning and end, its size, and typed input. Without them, more than
 * the slice would be lost.
 */
const NEEDED: ReadonlySet<JournalRecord['kind']> = new Set(['start', 'exit', 'resize', 'input', 'snapshot', 'pause']);

/** True if a record is in one of the slices, and may be skipped. */
export function isPassedOver({ kind, position, end }: JournalRecord, slices: readonly PassedOver[]): boolean {
  return !NEEDED.has(kind) && slices.some(({ from, to }) => position >= from && end <= to);
}

/** Returns the slices that the file names; none if there is no file. */
export function readPassedOver(directory: string): PassedOver[] {
  let text: string;
  try {
    text = readOwnFile(join(directory, FILE));
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line): PassedOver[] => {
    const [, from, to, note] = /^(\d{1,16}) (\d{1,16}) (\d{1,16})$/.exec(line) ?? [];
    return note === undefined ? [] : [{ from: Number(from), to: Number(to), note: Number(note) }];
  });
}

/** Adds a slice whose note is in the journal. Readers that are opened from now on skip it. */
export function addPassedOver(directory: string, slice: PassedOver): void {
  const lines = [...readPassedOver(directory), slice].map(({ from, to, note }) => `${from} ${to} ${note}\n`);
  const path = join(directory, FILE);
  writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** True if a record is the note of this slice. */
export function isNoteOf(slice: PassedOver, record: JournalRecord): boolean {
  if (record.kind !== 'note' || record.name !== PASSED_OVER_NOTE) return false;
  const { from, to } = (record.data ?? {}) as { readonly from?: unknown; readonly to?: unknown }; // compared below
  return from === slice.from && to === slice.to;
}

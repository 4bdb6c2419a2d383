/** The note by which what was read in a transcript comes into the journal, before anything uses it. */
import type { TranscriptItem, TranscriptPlace } from '../../session/index.js';

export const TRANSCRIPT_NOTE = 'transcript';

export interface TranscriptNote {
  readonly items: readonly TranscriptItem[];
  /** Of every file of the session: a restart goes on there. */
  readonly places: readonly TranscriptPlace[];
}

/** What one line has given. */
export interface ReadLine {
  readonly items: readonly TranscriptItem[];
  readonly end: number;
}

/** A note is no longer than this, unless one line alone is. */
const NOTE_CHARS = 128 * 1024;
/** In UTF-8 JSON a character has at most six bytes: this stays below what the host takes in one request. */
const MAX_ITEM_CHARS = 2 * 1024 * 1024;

/**
 * Packs lines into as few notes as hold them; a line's items stay together.
 *
 * @param onRefused  A text, or whatever else an item says, is too long for a message: its length.
 */
export function packLines(lines: readonly ReadLine[], onRefused: (chars: number) => void): ReadLine[] {
  const notes: { items: TranscriptItem[]; end: number }[] = [];
  let chars = 0;
  for (const { items: all, end } of lines) {
    const items = all.filter((item) => {
      const isFit = lengthOf(item) <= MAX_ITEM_CHARS;
      if (!isFit) onRefused(lengthOf(item));
      return isFit;
    });
    if (items.length === 0) continue;
    const length = items.reduce((sum, item) => sum + lengthOf(item), 0);
    const last = notes.at(-1);
    if (last && chars + length <= NOTE_CHARS) {
      last.items.push(...items);
      last.end = end;
      chars += length;
    } else {
      notes.push({ items: [...items], end });
      chars = length;
    }
  }
  return notes;
}

const lengthOf = (item: TranscriptItem): number =>
  Object.values(item).reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

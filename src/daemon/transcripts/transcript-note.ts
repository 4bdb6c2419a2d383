/** The journal note that contains items of a transcript. Items are in the journal before they are used. */
import type { TranscriptItem, TranscriptOffset } from '../../session/index.js';

export const TRANSCRIPT_NOTE = 'transcript';

export interface TranscriptNote {
  readonly items: readonly TranscriptItem[];
  /** The position in every file of the session, from which a restart continues. */
  readonly places: readonly TranscriptOffset[];
}

/** The items found in one line. */
export interface ReadLine {
  readonly items: readonly TranscriptItem[];
  readonly end: number;
}

/** Maximum length of a note, unless a single line is longer. */
const NOTE_CHARS = 128 * 1024;
/**
 * Maximum length of an item. In UTF-8 JSON a character takes at most six bytes, so this fits into one request to the
 * host.
 */
const MAX_ITEM_CHARS = 2 * 1024 * 1024;

/**
 * Packs lines into as few notes as possible. The items of a line stay in the same note.
 *
 * @param onRefused Called with the length of an item that is too long for a message.
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

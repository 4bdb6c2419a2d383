/** Inserted rows: finds where a program has put rows between known ones, so that no single shift fits. */
import type { PlainRow, Rows } from './rows.js';
import { isDistinct, MIN_AGREEING_ROWS } from './scroll-shift.js';

/**
 * Finds out if a picture has its known rows below inserted ones. Then its place would be above the screen, but the rows
 * there have left the screen and cannot change.
 *
 *     transcript               picture
 *       "options": [
 *         "yes"                              has left the screen
 *     ┌ ]                      ]
 *     │                        ╭────────╮    inserted
 *     │ {                      {             matches the transcript
 *
 * @param place Index of the transcript's row that matches the picture's first row, by most of its rows.
 * @param start Index of the screen's first row before.
 * @returns Index of the first row of the transcript that has moved down; null if the picture begins at `place`.
 */
export function insertedAbove(transcript: Rows, place: number, start: number, picture: Rows): number | null {
  let same = 0;
  let other = 0;
  for (let at = Math.max(0, place); at < start; at++) {
    const known = transcript[at];
    if (!isDistinct(known)) continue;
    if (picture[at - place]?.squashed === known.squashed) same++;
    else other++;
  }
  if (other <= same) return null;
  const first = picture.findIndex((row, at) => isDistinct(row) && transcript[place + at]?.squashed === row.squashed);
  return first === -1 ? null : place + first;
}

/** Minimum part of a screen's distinct rows that must be rows of the last screen. */
const MIN_COMMON = 0.3;
/** If two rows begin with this many equal characters, they are the same row, which has grown. */
const MIN_GROWN_CHARS = 8;

/**
 * Compares the order of the rows of both screens, for when rows were inserted in the middle, so that no single shift
 * fits.
 *
 *     before              now
 *       {                   "status": …      these rows are new, and come behind the last one that left
 *       "data": {         }
 *     {                   {                  the first row that is in both
 *       "data": {           "data": {
 *
 * @returns How many of the last look's rows have left at the top; null if the screens have too little in common.
 */
export function findInsertion(previous: Rows, screen: readonly PlainRow[], footer: number): number | null {
  const before = distinctRows(previous, footer);
  const now = distinctRows(screen, footer);
  // lengths[i][j]: the longest common sequence of before[i…] and now[j…]
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = isSameRow(before[i], now[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common = at(0, 0);
  if (common < MIN_AGREEING_ROWS || common < now.length * MIN_COMMON) return null;
  // Of sequences with equal length, the lowest one is chosen, because rows leave the screen at the top.
  let i = before.length - 1;
  while (i > 0 && at(i, 0) < common) i--;
  return before[i]?.index ?? null;
}

interface DistinctRow {
  readonly index: number;
  readonly text: string;
}

function distinctRows(rows: Rows, footer: number): DistinctRow[] {
  const distinct: DistinctRow[] = [];
  for (let index = 0; index < rows.length - footer; index++) {
    const row = rows[index];
    if (row && row.squashed !== '' && !row.isOrnament) distinct.push({ index, text: row.squashed });
  }
  return distinct;
}

function isSameRow(before: DistinctRow | undefined, now: DistinctRow | undefined): boolean {
  if (!before || !now) return false;
  return before.text === now.text || (before.text.length >= MIN_GROWN_CHARS && now.text.startsWith(before.text));
}

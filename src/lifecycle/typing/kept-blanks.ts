/**
 * Kept blanks: determines if a line editor has kept the blanks that some editors drop from a pasted text: those at its
 * start, and tabs (`read` of fish). Pure.
 *
 * The text is found on the screen without its blanks, so this compares how far the cursor has moved.
 */
import { widthOf } from '../../protocol/index.js';
import type { Picture } from './submission.js';

/** True for one line that begins with a blank or contains a tab. */
export const mayLoseBlanks = (text: string): boolean => /^ |\t/.test(text) && !text.includes('\n');

/**
 * True if the cursor has moved at least by the width of the text, in the same row. A tab counts as one column.
 *
 * @param before  The screen before the text was typed.
 * @param now  The screen with the text in the input line.
 */
export function hasKeptBlanks(text: string, before: Picture, now: Picture): boolean {
  const isInRow = before.cursor.visible && now.cursor.visible && before.cursor.y === now.cursor.y;
  const width = widthOf(text.trimEnd().replaceAll('\t', ' '));
  return isInRow && now.cursor.x - before.cursor.x >= width;
}

/**
 * Side panels: columns at the right of a wide screen with other text (a list of files, of costs) on a background of
 * their own. Without this module, their text would be joined to the words at the left.
 *
 *     │ an answer, on the screen's background      ░ Context        ░
 *     │ that goes on                               ░ 12,000 tokens  ░
 *                                                  ^ column
 */
import type { Line } from '../../terminal/index.js';

/** Minimum width of a screen with a side panel. */
const MIN_COLS = 100;
const MIN_PART = 0.55;
const MIDDLE = 0.5;

/** @returns The first column of the panel in this row; null if there is none. */
export function panelColumn(line: Line, cols: number): number | null {
  if (cols < MIN_COLS) return null;
  const ground = backgroundOf(line, Math.floor(cols * MIDDLE));
  for (let column = Math.floor(cols * MIN_PART); column < cols; column++) {
    if (backgroundOf(line, column) === ground) continue;
    return column;
  }
  return null;
}

/** Returns the background of a cell, its last value: mode and colour, without the flags. */
export function backgroundOf({ _data: cells }: Line, column: number): number {
  return (cells[3 * column + 2] ?? 0) & 0x3ffffff;
}

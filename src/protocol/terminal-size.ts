/**
 * The limit of a terminal's size. A few bytes can touch every cell of a terminal, so its number of cells bounds the time
 * that a few bytes can take.
 */
import { OrchdError } from './errors.js';
import type { Size } from './generated/types.js';

export const MAX_CELLS = 250_000;

/** @throws {OrchdError} ORCHD_INVALID for a size that a caller gives and that has more cells. */
export function needFewCells(size: Size): Size {
  const { cols, rows } = size;
  if (cols * rows <= MAX_CELLS) return size;
  const most = MAX_CELLS.toLocaleString('en-US');
  throw new OrchdError('ORCHD_INVALID', `a terminal has at most ${most} cells, and ${cols}x${rows} has more`);
}

/** Returns a size with fewer rows if there are too many cells: for the size of a client's window. */
export function fitCells({ cols, rows }: Size): Size {
  return { cols, rows: Math.min(rows, Math.max(1, Math.floor(MAX_CELLS / cols))) };
}

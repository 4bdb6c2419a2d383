/**
 * The limit of a terminal's size. A few bytes can touch every cell of a terminal, so its number of cells bounds the
 * time that a few bytes can take.
 */
import { OrchdError } from '../errors.js';
import type { Size } from '../generated/types.js';

export const MAX_CELLS = 250_000;

/**
 * Returns a size that a caller gives.
 * @throws {OrchdError} ORCHD_INVALID if it has too many cells.
 */
export function needFewCells(size: Size): Size {
  const { cols, rows } = size;
  if (cols * rows <= MAX_CELLS) return size;
  const most = MAX_CELLS.toLocaleString('en-US');
  throw new OrchdError('ORCHD_INVALID', `a terminal has at most ${most} cells, and ${cols}x${rows} has more`);
}

/** Returns the size of a client's window, with fewer rows if there are too many cells. */
export function fitCells({ cols, rows }: Size): Size {
  return { cols, rows: Math.min(rows, Math.max(1, Math.floor(MAX_CELLS / cols))) };
}

/**
 * Memory of the objects that were read. A screen is read many times a second, and the rows above it rarely change.
 *
 * In:   rows, and where an object begins in them.
 * Out:  the candidate that was read there before, while all of its rows and those right above it are the very same.
 *
 * Only a cache: it never changes the result. It covers a conversation's last thousand rows.
 */

import type { PlainRow, Rows } from '../rows/index.js';
import type { Candidate } from './candidates.js';

interface Known {
  readonly candidate: Candidate;
  readonly rows: readonly (PlainRow | undefined)[];
}

/** Number of rows above an object that are read with it. They may have its label, followed by empty rows. */
export const ABOVE_ROWS = 5;
const MAX_OBJECTS = 1000;

export class ObjectMemo {
  readonly #known = new Map<number, Known>();

  /** @param base  Number of `rows[0]`. */
  get(rows: Rows, base: number, at: number, to: number): Candidate | null {
    const known = this.#known.get(base + at);
    if (!known) return null;
    const { candidate } = known;
    const length = candidate.end - candidate.row;
    if (at + length > to || !known.rows.every((row, index) => rows[at - ABOVE_ROWS + index] === row)) return null;
    return candidate.row === at ? candidate : { ...candidate, row: at, end: at + length };
  }

  set(rows: Rows, base: number, candidate: Candidate): void {
    const { row, end } = candidate;
    const around = Array.from({ length: end - row + ABOVE_ROWS }, (_, index) => rows[row - ABOVE_ROWS + index]);
    if (this.#known.size >= MAX_OBJECTS) this.#known.clear();
    this.#known.set(base + row, { candidate, rows: around });
  }
}

/**
 * Split rows: two texts that stand side by side, and only their backgrounds differ. The rows must not be read as one
 * text.
 *
 *     Which of the two   ░ Files 3 ░       the background changes in the same column of both rows,
 *     databases?         ░         ░       and one of them has text at both sides of it
 */
import type { PlainRow } from './rows.js';
import { isUnsure } from './unsure-width.js';

/** Number of columns by which a program that counts the width of a row differently moves what is behind its text. */
export const MAX_MOVED = 16;

/** True if two rows, one below the other, may each have two texts side by side. */
export function areSplit(one: PlainRow | undefined, other: PlainRow | undefined): boolean {
  if (!one?.edges || !other?.edges) return false;
  const maxMoved = isUnsure(one) || isUnsure(other) ? MAX_MOVED : 0;
  const areNear = (splits: readonly number[] = [], edges: readonly number[] = []): boolean =>
    splits.some((split) => edges.some((edge) => Math.abs(edge - split) <= maxMoved));
  return areNear(one.splits, other.edges) || areNear(other.splits, one.edges);
}

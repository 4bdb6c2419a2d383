/** Notice parts: a notice that is longer than the status row is shown in parts, one after the other. Pure. */
import { widthOf, wrap } from '../../paint/text.js';

/** Columns of the numbers behind a part, such as ` (1/3)`. */
const NUMBER_COLUMNS = 8;
/** A row must have room for this many columns of the notice; else it is cut. */
const MIN_COLUMNS = 12;

/** @param columns  Columns of the row, of which the first stays blank. */
export function noticeParts(notice: string, columns: number): readonly string[] {
  const room = columns - 1 - NUMBER_COLUMNS;
  if (widthOf(notice) <= columns - 1 || room < MIN_COLUMNS) return [notice];
  const parts = wrap(notice, room);
  return parts.map((part, at) => `${part} (${at + 1}/${parts.length})`);
}

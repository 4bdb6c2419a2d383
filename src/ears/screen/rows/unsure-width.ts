/**
 * Characters whose width differs between programs and terminals, so that cells may be lost or left over. They are parts
 * of emoji, marks that combine with other letters (Hindi, Thai, ﾞ), and characters without a width, such as those for
 * the direction of text.
 */
import type { PlainRow } from './rows.js';

export const UNSURE_WIDTH =
  /\p{M}|\p{Cf}|\p{Grapheme_Extend}|[\u0e33\u0eb3]|[\u1160-\u11ff]|[\u{1f3fb}-\u{1f3ff}]|[\u{1f1e6}-\u{1f1ff}]/u;

const known = new WeakMap<PlainRow, boolean>();

/** True for a row with such characters. */
export function isUnsure(row: PlainRow | undefined): boolean {
  if (!row) return false;
  const isKnown = known.get(row) ?? UNSURE_WIDTH.test(row.text);
  known.set(row, isKnown);
  return isKnown;
}

/**
 * Dialog block: which rows above the choices belong to a dialog that has no border.
 *
 *     Which one shall I take?              the conversation
 *                                          two empty rows
 *     Where should it run?            ░    the block: the rows that have a background of their own,
 *                                     ░    or, without a background, the rows below the lowest two empty rows
 *     › 1. Here                       ░    the first choice
 *
 * The conversation above can hold anything, lists and questions too. It is never read as a part of the dialog.
 * `isWhole` is false if the beginning of the block is not certain: a command in the dialog may hold two empty rows
 * itself.
 */
import type { ViewRow } from '../adapter.js';

export interface DialogBlock {
  /** Index of the first row of the block. */
  readonly first: number;
  /** False if the dialog may begin further up. */
  readonly isWhole: boolean;
}

interface BlockTops {
  /** Matches a row that is above every dialog. */
  readonly top: RegExp;
  /** Matches a row of the start screen, where no conversation follows. */
  readonly startHeader: RegExp;
}

/** @param end  The row of the first choice, or of the list of keys. */
export function dialogBlock(rows: readonly ViewRow[], end: number, { top, startHeader }: BlockTops): DialogBlock {
  const isTop = (at: number): boolean => top.test(rows[at]?.text ?? '');
  const isEmpty = (at: number): boolean => (rows[at]?.text ?? '').trim() === '';
  const hasGround = (at: number): boolean => (rows[at]?.ground(0) ?? 0) !== 0;
  let first = end;
  if (hasGround(end - 1)) {
    while (first > 0 && hasGround(first - 1) && !isTop(first - 1)) first--;
    return { first, isWhole: first > 0 || isEmpty(0) };
  }
  // The rows between the text and the choices may be empty.
  while (first > 0 && isEmpty(first - 1)) first--;
  while (first > 0 && !isTop(first - 1) && !(isEmpty(first - 1) && isEmpty(first - 2))) first--;
  let above = first - 1;
  while (above >= 0 && isEmpty(above)) above--;
  if (above < 0) return { first, isWhole: isEmpty(0) };
  // The conversation may also contain a single empty row.
  return { first, isWhole: isTop(above) && (first - above > 2 || startHeader.test(rows[above]?.text ?? '')) };
}

/**
 * Screen echo: cuts a screen's rows after the prompt that was typed last. Pure.
 *
 * Programs paint a prompt wrapped, indented, in a box or after a sign (`> `): blanks and these signs are ignored. The
 * beginning of a prompt may have left the screen. Some programs show only a part of it:
 *
 *     > Count the files.            the prompt's end is not visible, so the first row of the answer is not known
 *       [Pasted text, 61 lines]
 */
import { CONTROL_SEQUENCES, withoutDecoration as ink } from '../../protocol/index.js';

/** Number of characters of the prompt's end that identify it. */
const ENOUGH_CHARS = 24;
/** Like ENOUGH, for a prompt that is longer than the screen, so that its beginning is gone. */
const ENOUGH_AT_TOP = 4;
/** A shorter row may occur in the prompt by chance. */
const PROMPT_ROW_CHARS = 8;
/** Matches text that a program may show in place of a long prompt. */
const PLACEHOLDER = /\[[^[\]]{0,200}\b(?:past|lines?\b)[^[\]]{0,200}\]/i;

interface AfterPrompt {
  /** The rows below the typed text, from the first one that is not a border; all rows if its end is not found. */
  readonly rows: readonly string[];
  /** False if a part of the typed text is visible, but not its end: it may then be among the rows. */
  readonly isExact: boolean;
}

/**
 * Returns the rows after the prompt that was typed last.
 *
 * @param rows  The rows of the screen, from the top.
 */
export function afterPrompt(rows: readonly string[], typed: string): AfterPrompt {
  const wanted = ink(typed.replace(CONTROL_SEQUENCES, ''));
  if (wanted === '') return { rows, isExact: true };
  const ends: number[] = [];
  let text = '';
  for (const row of rows) {
    text += ink(row);
    ends.push(text.length);
  }
  const end = endOf(wanted, text);
  if (end !== null) {
    const below = rows.slice(ends.findIndex((rowEnd) => rowEnd >= end) + 1);
    const first = below.findIndex((row) => ink(row) !== ''); // above it is the lower border of a box
    return { rows: first === -1 ? [] : below.slice(first), isExact: true };
  }
  const isOfPrompt = (row: string): boolean =>
    PLACEHOLDER.test(row) || (ink(row).length >= PROMPT_ROW_CHARS && wanted.includes(ink(row)));
  return { rows, isExact: !rows.some(isOfPrompt) };
}

/**
 * Returns the index after the longest end of `wanted` in a text, the last one if there are several; null if there is
 * none.
 */
function endOf(wanted: string, text: string): number | null {
  const lengths = commonSuffixes(wanted, text);
  let best: number | null = null;
  let longest = 0;
  lengths.forEach((length, at) => {
    const isAtTop = length === at + 1 && length >= ENOUGH_AT_TOP;
    const isEnough = isAtTop || length >= Math.min(ENOUGH_CHARS, wanted.length);
    if (!isEnough || length < longest) return;
    longest = length;
    best = at + 1;
  });
  return best;
}

/**
 * Returns for each character of a text the length of the longest end of `wanted` that ends there (the Z function,
 * backwards).
 */
function commonSuffixes(wanted: string, text: string): number[] {
  const all = wanted.slice(-text.length);
  const joined = [...reversed(all), null, ...reversed(text)];
  const lengths = new Array<number>(joined.length).fill(0);
  let [left, right] = [0, 0];
  for (let at = 1; at < joined.length; at++) {
    let length = at < right ? Math.min(right - at, lengths[at - left] ?? 0) : 0;
    while (at + length < joined.length && joined[length] === joined[at + length]) length++;
    lengths[at] = length;
    if (at + length > right) [left, right] = [at, at + length];
  }
  return lengths.slice(all.length + 1).reverse();
}

const reversed = (text: string): string[] => text.split('').reverse();

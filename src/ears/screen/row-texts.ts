/** Row texts: which text is above a message, and how similar two texts are. */
import { isLabel } from './candidates/index.js';
import type { Rows } from './rows/index.js';

/** Maximum length of the remembered text above a message. */
export const MAX_ABOVE_CHARS = 2000;

/** The text above a row, without blanks, labels, numbers and ornaments, up to the view's beginning or to row `from`. */
export function textAbove(rows: Rows, row: number, from = 0): string {
  let text = '';
  for (let at = row - 1; at >= from && text.length < MAX_ABOVE_CHARS; at--) {
    const above = rows[at];
    if (!above) break;
    if (above.isOrnament || isLabel(above) || /^\d*$/.test(above.squashed)) continue;
    text = above.squashed.replace(/^\d{1,5}(?=[{}"[\]])/, '') + text;
  }
  return text.slice(-MAX_ABOVE_CHARS);
}

/**
 * A row that was painted over differs in one place. At least this part of the longer text must be the same before and
 * behind it.
 */
const MIN_ALIKE = 0.7;

export function isAlike(one: string, other: string): boolean {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  let before = 0;
  while (before < shorter.length && longer[before] === shorter[before]) before++;
  let behind = 0;
  while (behind < shorter.length - before && longer.at(-1 - behind) === shorter.at(-1 - behind)) behind++;
  return before + behind >= longer.length * MIN_ALIKE;
}

/** True if both are the same text, even if one lacks a row: all parts of one appear in the other, in order. */
export function isPart(one: string, other: string): boolean {
  return isAlike(one, other) && isWithin(one, other);
}

/**
 * True if the shorter text is a subsequence of the longer one: the same characters in the same order, with others
 * between.
 */
export function isWithin(one: string, other: string): boolean {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  let at = 0;
  for (let index = 0; index < longer.length; index++) if (longer[index] === shorter[at]) at++;
  return at === shorter.length;
}

/** True if the last `chars` characters of two texts are the same, or all of the shorter text. */
export function hasCommonEnd(one: string, other: string, chars: number): boolean {
  const length = Math.min(one.length, other.length, chars);
  return one.slice(one.length - length) === other.slice(other.length - length);
}

/** Minimum part of the longer text that both texts have in common, in the same order. */
const MIN_COMMON = 0.9;
/** What objects and markers of the same type have in common. */
const STRUCTURE = /"type":"\w*"|"\w+":|[{}[\],"]|^\w+::ORCHESTRATOR:\w+-/gu;
/** Longer texts are compared by their beginnings only; `STRUCTURE` is removed from four times as much. */
const MAX_SMEARED_CHARS = 200;

/**
 * True if both may be pictures of the same text whose characters have other widths for the terminal than for the
 * program: each picture may lose other characters. Their numbers must agree.
 */
export function isSmeared(one: string, other: string): boolean {
  // Only characters beyond ASCII have widths that terminals and programs count differently.
  if (!/[^\p{ASCII}]/u.test(one) || !/[^\p{ASCII}]/u.test(other)) return false;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const length = Math.max(a.length, b.length);
  const missing = Math.floor(length * (1 - MIN_COMMON));
  if (Math.abs(a.length - b.length) > missing || !isWithin(a.replace(/\D/g, ''), b.replace(/\D/g, ''))) return false;
  return commonLength(a, b, missing) >= length - missing;
}

const wordsOf = (key: string): string =>
  key
    .slice(0, 4 * MAX_SMEARED_CHARS)
    .replace(STRUCTURE, '')
    .slice(0, MAX_SMEARED_CHARS);

/**
 * Returns the length of the longest common subsequence; less if one of the texts lacks more than `missing` characters
 * of the other. Then it is not looked for everywhere.
 */
function commonLength(one: string, other: string, missing: number): number {
  // Values outside of the band are those of an earlier row, so they are too small at most.
  let above = new Uint16Array(other.length + 1);
  let row = new Uint16Array(other.length + 1);
  for (let index = 0; index < one.length; index++) {
    const last = Math.min(other.length - 1, index + missing);
    for (let at = Math.max(0, index - missing); at <= last; at++) {
      row[at + 1] =
        other[at] === one[index]
          ? (above[at] as number) + 1 // within bounds, as below
          : Math.max(above[at + 1] as number, row[at] as number);
    }
    [above, row] = [row, above];
  }
  return above[other.length] as number;
}

/**
 * Line marks: what makes a line's text a heading, a rule or a list item. Each function reads the line only once,
 * because a program may print a screen full of them.
 */
import { isBlankCode } from './line-cursor.js';

const HASH = 0x23;
/** Maximum number of `#` of a heading. */
export const MAX_HEADING = 6;
/** Minimum number of characters of a rule, such as `---`. */
export const MIN_RULE = 3;
/** Maximum number of digits of a list item's number. */
export const MAX_NUMBER_DIGITS = 9;

/** True for a heading such as `# heading`. */
export function isAtxHeading(text: string, at: number): boolean {
  let end = at;
  while (text.charCodeAt(end) === HASH) end++; // NaN behind the end
  return end > at && end - at <= MAX_HEADING && isBlankOrEnd(text, end);
}

/** `===`, `---`: makes a heading of the paragraph above it. `at` is the index of a `=` or `-`. */
export function isUnderline(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first !== 0x3d && first !== 0x2d) return false;
  let end = at;
  while (text.charCodeAt(end) === first) end++;
  while (isBlankCode(text.charCodeAt(end))) end++;
  return end === text.length;
}

/** True for a rule, such as `***`, `- - -` or `_ _ _`. */
export function isRule(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first !== 0x2a && first !== 0x2d && first !== 0x5f) return false;
  let count = 0;
  for (let next = at; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === first) count++;
    else if (!isBlankCode(code)) return false;
  }
  return count >= MIN_RULE;
}

/**
 * Reads `-`, `*`, `+`, `12.` or `3)` before a blank or the end.
 * @returns The number of its characters; 0 if there is none.
 */
export function itemWidth(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === 0x2d || first === 0x2a || first === 0x2b) return isBlankOrEnd(text, at + 1) ? 1 : 0;
  let end = at;
  while (isDigit(text.charCodeAt(end)) && end - at <= MAX_NUMBER_DIGITS) end++;
  if (end === at || end - at > MAX_NUMBER_DIGITS) return 0;
  const sign = text.charCodeAt(end);
  return (sign === 0x2e || sign === 0x29) && isBlankOrEnd(text, end + 1) ? end + 1 - at : 0;
}

function isBlankOrEnd(text: string, at: number): boolean {
  return at >= text.length || isBlankCode(text.charCodeAt(at));
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

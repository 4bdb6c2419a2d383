/**
 * The byte prefilter: which rows can only be text, whatever they say, so that nobody makes strings of them.
 *
 *     "The quick …"   "2026-01-01 …"   "    at Object.<anonymous>"   "{"     a letter, or a number that is no list item
 *     "# head"  "- item"  "1. item"  "> quote"  "```"  "<b>"  ":ORCH…"       have to be read
 *
 * It knows the first bytes of everything in the grammar (src/ears); a test holds the two together.
 */
const TAB = 9;
const SPACE = 32;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const MAX_NUMBER_DIGITS = 9;

/** 1: can begin something. 2: a digit. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return 2;
  return byte < 33 || byte === 127 || byte === 0xef || '`~<>#-+*_=:'.includes(String.fromCharCode(byte)) ? 1 : 0;
});

/** @returns How many blanks stand before the text; -1 for a blank row; null if the row has to be read. */
export function textIndent(bytes: Uint8Array, start: number, end: number): number | null {
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  if (at === end) return -1;
  const kind = KIND[bytes[at] as number]; // within bounds
  if (kind === 0) return at - start;
  if (kind === 1) return null;
  //  2026-01-01     1. item     1
  //      ^           ^           ^
  let after = at + 1;
  while (after < end && KIND[bytes[after] as number] === 2 && after - at <= MAX_NUMBER_DIGITS) after++; // within bounds
  return after < end && (bytes[after] === 0x2e || bytes[after] === 0x29) ? null : at - start;
}

/** @returns How many blanks stand before a row of foreign code; null if it may end the code, or its length in characters is not that in bytes. */
export function codeIndent(bytes: Uint8Array, start: number, end: number): number | null {
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  const indent = at - start;
  if (bytes[at] === BACKTICK || bytes[at] === TILDE) return null;
  for (; at < end; at++) if ((bytes[at] as number) >= 0x80 || bytes[at] === TAB) return null; // within bounds
  return indent;
}

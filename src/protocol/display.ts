/**
 * Untrusted text for people's eyes: what a terminal printed or an agent said must not act on the terminal that shows it.
 */

/** C0 but newline and tab, DEL, C1, bidi embeddings, overrides and isolates, line separators, and the byte order mark. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text without control and bidi characters; newlines and tabs stay. */
export function displayText(text: string): string {
  return text.replaceAll(UNSAFE, '');
}

/** The same on one line: runs of white space become one blank. */
export function displayLine(text: string): string {
  return displayText(text.replaceAll(/[\r\n\t]+/g, ' '))
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

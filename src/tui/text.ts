/** Text in columns: how wide it is, cut, filled up and wrapped; wide characters count two. */
import stringWidth from 'string-width';
import { displayLine, displayText } from '../protocol/index.js';

/**
 * Joiners and presentation marks, skin tones, tags. Terminals disagree about how wide the sequences are that these make; without
 * them every character has one width everywhere, and borders stay straight.
 */
const UNSTEADY = /[\u200b-\u200d\u2060]|[\ufe00-\ufe0f]|[\u{1f3fb}-\u{1f3ff}]|[\u{e0000}-\u{e007f}]/gu;
const ASCII = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Untrusted text as paragraphs. */
export const plainText = (text: string): string =>
  displayText(text.replaceAll('\r\n', '\n')).replaceAll('\t', '  ').replaceAll(UNSTEADY, '');

/** Untrusted text on one line. */
export const plainLine = (text: string): string => displayLine(text).replaceAll(UNSTEADY, '');

/** Columns of one line without control sequences. */
export const widthOf = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));

export const split = (text: string): string[] =>
  ASCII.test(text) ? [...text] : Array.from(graphemes.segment(text), ({ segment }) => segment);

/** At most so many columns; what is cut off is said by `…`. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const piece of split(text)) {
    width += widthOf(piece);
    if (width > columns - 1) break;
    kept += piece;
  }
  return `${kept}…`;
}

/** Exactly so many columns. */
export function fill(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const kept = cut(text, columns);
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(kept)));
  return align === 'left' ? kept + blanks : blanks + kept;
}

/** Lines of at most so many columns, broken at blanks where there are any. A line's own indentation is kept. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line.trimEnd(), Math.max(1, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const word of line.split(/(?<= )/)) {
    const bare = widthOf(word.trimEnd());
    if (width > 0 && width + bare > columns) {
      lines.push(current.trimEnd());
      current = '';
      width = 0;
    }
    if (bare <= columns) {
      current += word;
      width += widthOf(word);
      continue;
    }
    for (const piece of split(word)) {
      const wide = widthOf(piece);
      if (width + wide > columns) {
        lines.push(current);
        current = '';
        width = 0;
      }
      current += piece;
      width += wide;
    }
  }
  if (current.trimEnd() !== '') lines.push(current.trimEnd());
  return lines;
}

/** Measures, cuts, fills and wraps text in terminal columns. Wide characters are two columns. Pure. */
import { charWidth } from './char-width.js';

/**
 * Joiners, presentation selectors, skin tones, tags. Terminals disagree about the width of sequences that contain them.
 * Without them, every terminal shows a character with the same width, and borders are straight.
 */
const UNSTEADY = /[\u200b-\u200d\u2060]|[\ufe00-\ufe0f]|[\u{1f3fb}-\u{1f3ff}]|[\u{e0000}-\u{e007f}]/gu;
const ASCII = /^[\x20-\x7e]*$/;
let segmenter: Intl.Segmenter | undefined;
/** Created on demand, because it takes 10 ms or more and most text is ASCII. */
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** Removes the characters whose width differs between terminals. */
export const steadyText = (text: string): string => text.replaceAll(UNSTEADY, '');

/**
 * Returns the width of one line without control sequences, the sum of its characters' widths, as terminals compute it.
 */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const char of text) columns += charWidth(char.codePointAt(0) ?? 0);
  return columns;
}

/** Splits a text into its characters, as a terminal shows them (grapheme clusters). */
export const split = (text: string): string[] =>
  ASCII.test(text) ? [...text] : Array.from(graphemes().segment(text), ({ segment }) => segment);

/** Cuts a line to at most `columns` columns; `…` marks a cut. */
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

/** Cuts or pads a line to exactly `columns` columns. */
export function fill(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const kept = cut(text, columns);
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(kept)));
  return align === 'left' ? kept + blanks : blanks + kept;
}

/** Wraps text into lines of at most `columns` columns, at blanks where possible. A line keeps its indentation. */
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

/**
 * Positions in a text: lines, columns, and excerpts with carets. Pure.
 *
 * In:   offsets in UTF-16 code units, as in JavaScript strings.
 * Out:  lines and columns from 1. A line ends at a line feed. Columns count code points, so a tab or an emoji is one
 *       column.
 */
import { displayText, widthOf } from '../../protocol/index.js';

/** A part of a text, given by the offsets of its start and end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export interface Source {
  place(offset: number): LineColumn;
  /** Returns the line in which a span begins, with carets below it. */
  excerpt(span: Span): string;
}

/**
 * Number of columns shown of a long line, before the span and in total. With the line number it fits into 80 columns.
 */
const SHOWN_BEFORE = 40;
const SHOWN = 68;
const TAB = 8;

export function createSource(text: string): Source {
  const starts = lineStarts(text);
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  // Remembers the last position, so that the characters of a long line are counted only once.
  let last = { line: 0, offset: 0, count: 0 };
  return {
    place(offset) {
      const line = lineAt(offset);
      const isBehind = line === last.line && offset >= last.offset;
      const [from, before] = isBehind ? [last.offset, last.count] : [starts[line] ?? 0, 0];
      last = { line, offset, count: before + codePoints(text, from, offset) };
      return { line: line + 1, column: last.count + 1 };
    },
    excerpt({ from, to }) {
      const line = lineAt(from);
      const start = starts[line] ?? 0;
      const end = (starts[line + 1] ?? text.length + 1) - 1;
      return excerptOf(text.slice(start, end).replace(/\r$/, ''), from - start, to - start, line + 1);
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/**
 * Returns the line with its number, and below it marks from one column to another:
 *
 *     3 | GOAL "Assess"
 *       |      ^^^^^^^^
 */
function excerptOf(line: string, from: number, to: number, number: number): string {
  const [first, last] = windowOf(line, from);
  const left = first > 0 ? '…' : '';
  const before = shown(line.slice(first, from), left);
  const marked = shown(line.slice(from, Math.max(from, Math.min(to, last))), before);
  const all = shown(line.slice(first, last), left) + (last < line.length ? '…' : '');
  const lead = widthOf(before);
  const gutter = String(number);
  const carets = '^'.repeat(Math.max(1, widthOf(marked) - lead));
  return `${gutter} | ${all}\n${' '.repeat(gutter.length)} | ${' '.repeat(lead)}${carets}`;
}

/** Returns the part of a long line around a position, without cutting a character. */
function windowOf(line: string, from: number): [first: number, last: number] {
  if (line.length <= SHOWN / 2) return [0, line.length]; // fits even if all characters are wide, tabs excepted
  let [first, last, width] = [from, from, 0];
  const room = (char: string): number => (char === '\t' ? TAB : widthOf(char));
  const isFull = (char: string, limit: number): boolean => {
    width += room(char);
    return width > limit;
  };
  const back = Array.from(line.slice(Math.max(0, from - SHOWN), from)).reverse();
  const ahead = Array.from(line.slice(from, from + SHOWN));
  // Returns the whole line if it fits; otherwise the part before the position, up to SHOWN_BEFORE, and then the part
  // after it.
  const isShort = line.length <= SHOWN && [...back, ...ahead].reduce((sum, char) => sum + room(char), 0) <= SHOWN;
  if (isShort) return [0, line.length];
  for (const char of back) {
    if (isFull(char, SHOWN_BEFORE)) break;
    first -= char.length;
  }
  for (const char of ahead) {
    if (isFull(char, SHOWN)) break;
    last += char.length;
  }
  return [first, last];
}

/** Makes a text displayable: tabs become blanks up to the next tab stop, and control characters are removed. */
function shown(text: string, before: string): string {
  let line = before;
  for (const [index, part] of text.split('\t').entries()) {
    if (index > 0) line += ' '.repeat(TAB - (widthOf(line) % TAB));
    line += displayText(part);
  }
  return line;
}

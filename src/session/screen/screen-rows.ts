/**
 * Screen rows: the text and colours of a terminal's rows, read only where they have changed.
 *
 * In:   a terminal's lines, and which of them were written to since the last reading.
 * Out:  rows. A row that is equal to one of the last reading is the same object, also if it has scrolled to another
 *       place.
 */
import type { ScreenRow } from '../../ears/index.js';
import {
  BACKGROUND,
  CELL,
  IS_COMBINED,
  type Line,
  lineText,
  type Buffer as ScreenBuffer,
} from '../../terminal/index.js';
import { hasStyledWords } from '../rows/styled-words.js';
import { type Dividers, edgesOf } from './panes.js';
import { panelColumn } from './side-panel.js';

/** The last reading of a line, kept with the line. It is replaced when the line has changed. */
export interface Reading {
  /** Two hashes of the line's cells. */
  first: number;
  second: number;
  readonly isCut: boolean;
  /** The columns that were read: the first one, and the one after the last; null for all. */
  readonly span: Span | null;
  /** True if the row was read with its edges. */
  readonly hasEdges: boolean;
  readonly row: ScreenRow;
  /** The texts for adapters (screen-view.ts); absent until they are asked for. */
  text?: string;
  bright?: string;
}

/** Bits of a colour value that are set unless the colour is the terminal's default. */
const COLOUR_MODE = 0x3000000;
const NO_ROW: ScreenRow = { text: '', isSoft: false };

interface ReadRows {
  readonly buffer: ScreenBuffer;
  /** Index of the first line, and the number of lines. */
  readonly first: number;
  readonly count: number;
  readonly cols: number;
  /** Returns true if a line may have been written to since the last reading. */
  readonly isDirty: (y: number) => boolean;
  /** Returns the columns of a line that are read; null for all. */
  readonly spanOf: (y: number) => Span | null;
  /** Returns what divides a line of a program without an adapter. Null for a program whose layout its adapter knows. */
  readonly dividersOf: ((y: number) => Dividers) | null;
}

type Span = readonly [from: number, to: number];

export function readScreenRows({ buffer, first, count, cols, isDirty, spanOf, dividersOf }: ReadRows): ScreenRow[] {
  const { lines } = buffer;
  const rows = new Array<ScreenRow>(count);
  // Outside of the list, `get` returns an old line.
  const lineAt = (y: number): Line | undefined => (y >= 0 && y < lines.length ? lines.get(y) : undefined);
  const isWrapped = (y: number): boolean => lineAt(y)?.isWrapped === true && isFull(lineAt(y - 1), cols);
  let isSoft = isWrapped(first);
  for (let index = 0; index < count; index++) {
    const y = first + index;
    const line = lineAt(y);
    const isCut = isWrapped(y + 1);
    const span = spanOf(y);
    const wrapping = span ? NOT_WRAPPED : { isSoft, isCut };
    rows[index] = line
      ? readRow(line, wrapping, { cols, span, dividersOf: dividersOf && (() => dividersOf(y)) }, isDirty(y))
      : NO_ROW;
    isSoft = isCut;
  }
  return rows;
}

/**
 * True if a line may go on in the next one. The terminal keeps its mark for that if a program paints both lines anew.
 * So the mark does not count if the line ends with a gap, or with a gap and a scrollbar.
 */
function isFull(line: Line | undefined, cols: number): boolean {
  if (!line) return true;
  const end = lineText(line, false, cols - 2, cols);
  return end.length < 2 || !/^ [ █▄▀▐▕░▒▓┃│║]$/u.test(end);
}

/** Describes if a line continues the line above, and if it goes on in the next line. */
interface Wrapping {
  readonly isSoft: boolean;
  readonly isCut: boolean;
}

/** The terminal wraps only at its last column. */
const NOT_WRAPPED: Wrapping = { isSoft: false, isCut: false };

/** The columns that are read. */
interface Columns {
  readonly cols: number;
  readonly span: Span | null;
  readonly dividersOf: (() => Dividers) | null;
}

/** Returns the last reading of a line, which only `readRow` sets; undefined if the line was never read. */
export const readingOf = (line: Line): Reading | undefined => line.reading as Reading | undefined;

function readRow(line: Line, { isSoft, isCut }: Wrapping, columns: Columns, isDirty: boolean): ScreenRow {
  const before = readingOf(line);
  const { span } = columns;
  const hasEdges = columns.dividersOf !== null;
  const isSameSpan = before?.span?.[0] === span?.[0] && before?.span?.[1] === span?.[1];
  const isSamePart = isSameSpan && before?.hasEdges === hasEdges;
  const isAsBefore = before !== undefined && before.isCut === isCut && before.row.isSoft === isSoft && isSamePart;
  if (isAsBefore && !isDirty) return before.row;
  hash(line);
  const [first, second] = [hashed.first, hashed.second];
  if (isAsBefore && before.first === first && before.second === second) return before.row;
  const row = readLine(line, { isSoft, isCut }, columns);
  const isSame = isAsBefore && isEqual(before.row, row);
  line.reading = { first, second, isCut, span, hasEdges, row: isSame ? before.row : row } satisfies Reading;
  return isSame ? before.row : row;
}

const isEqual = (one: ScreenRow, other: ScreenRow): boolean =>
  one.text === other.text &&
  one.isShaded === other.isShaded &&
  one.edges?.join() === other.edges?.join() &&
  one.splits?.join() === other.splits?.join() &&
  one.isStyled === other.isStyled;

const hashed = { first: 0, second: 0 };

/**
 * Hashes characters and backgrounds, but not the colour of text. Two sums of 32 bits make a collision very unlikely.
 */
function hash({ _data: cells, _combined: combined }: Line): void {
  let first = 0x811c9dc5;
  let second = cells.length;
  for (let at = 0; at < cells.length; at += CELL) {
    const content = cells[at] as number; // within bounds
    const value = content ^ Math.imul(cells[at + BACKGROUND] as number, 0x85ebca6b);
    first = Math.imul(first ^ value, 0x01000193);
    second = Math.imul((second << 13) ^ (second >>> 19) ^ value, 0x9e3779b1);
    if ((content & IS_COMBINED) === 0) continue;
    const text = combined[at / CELL] ?? '';
    for (let index = 0; index < text.length; index++) second = Math.imul(second ^ text.charCodeAt(index), 0x9e3779b1);
  }
  hashed.first = first;
  hashed.second = second;
}

function readLine(line: Line, { isSoft, isCut }: Wrapping, { cols, span, dividersOf }: Columns): ScreenRow {
  const isStyled = dividersOf !== null && hasStyledWords(line, span);
  const styled = isStyled ? ({ isStyled } as const) : {};
  if (span) {
    const [from, to] = span;
    const isShaded = ((line._data[CELL * from + BACKGROUND] ?? 0) & COLOUR_MODE) !== 0;
    return { text: lineText(line, true, from, to), isSoft, goesOn: isCut, isShaded, isInPane: true, ...styled };
  }
  const isShaded = ((line._data[BACKGROUND] ?? 0) & COLOUR_MODE) !== 0;
  const panel = dividersOf ? null : panelColumn(line, cols);
  const text = panel === null ? lineText(line, !isCut, 0, cols) : lineText(line, true, 0, panel);
  return { text, isSoft, goesOn: isCut, isShaded, ...(dividersOf && edgesOf(dividersOf())), ...styled };
}

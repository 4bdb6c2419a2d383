/**
 * Screen rows: what stands in the rows of a terminal, read only where it has changed.
 *
 * In:   a terminal's lines, and which of them were written to since the last reading.
 * Out:  rows; one that says the same as at the last reading is the same object, also where it has scrolled to another place.
 */
import type { ScreenRow } from '../../ears/index.js';
import type { Line, Buffer as ScreenBuffer } from '../../terminal/index.js';
import { panelColumn } from './side-panel.js';

/** The last reading of a line, kept with the line. */
interface Reading {
  /** Two hashes of its cells. */
  first: number;
  second: number;
  readonly isCut: boolean;
  readonly row: ScreenRow;
}

/** Number of values of a cell: content, text colour, background. */
const CELL = 3;
const BACKGROUND = 2;
/** Bits of a colour value that are set unless the colour is the terminal's default. */
const COLOUR_MODE = 0x3000000;
/** Bit of the content value: the cell holds several code points, which are stored elsewhere. */
const IS_COMBINED = 0x200000;
const NO_ROW: ScreenRow = { text: '', isSoft: false };

interface ReadRows {
  readonly buffer: ScreenBuffer;
  /** First line, and how many. */
  readonly first: number;
  readonly count: number;
  readonly cols: number;
  /** True if a line may have been written to since the last reading. */
  readonly isDirty: (y: number) => boolean;
}

export function readScreenRows({ buffer, first, count, cols, isDirty }: ReadRows): ScreenRow[] {
  const rows = new Array<ScreenRow>(count);
  let line = buffer.lines.get(first);
  for (let index = 0; index < count; index++) {
    const y = first + index;
    const next = buffer.lines.get(y + 1);
    const isCut = next?.isWrapped ?? false;
    rows[index] = line ? readRow(line, isCut, cols, isDirty(y)) : NO_ROW;
    line = next;
  }
  return rows;
}

function readRow(line: Line, isCut: boolean, cols: number, isDirty: boolean): ScreenRow {
  const before = line.reading as Reading | undefined; // our own
  const isAsBefore = before !== undefined && before.isCut === isCut && before.row.isSoft === line.isWrapped;
  if (isAsBefore && !isDirty) return before.row;
  hash(line);
  const [first, second] = [hashed.first, hashed.second];
  if (isAsBefore && before.first === first && before.second === second) return before.row;
  const row = readLine(line, cols, isCut);
  const isSame = isAsBefore && before.row.text === row.text && before.row.isShaded === row.isShaded;
  line.reading = { first, second, isCut, row: isSame ? before.row : row } satisfies Reading;
  return isSame ? before.row : row;
}

const hashed = { first: 0, second: 0 };

/**
 * Of characters and backgrounds; the colour of text says nothing. Two sums of 32 bits, so that none is like another by
 * chance.
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

function readLine(line: Line, cols: number, isCut: boolean): ScreenRow {
  const panel = panelColumn(line, cols);
  const text = panel === null ? line.translateToString(!isCut, 0, cols) : line.translateToString(true, 0, panel);
  return { text, isSoft: line.isWrapped, goesOn: isCut, isShaded: ((line._data[BACKGROUND] ?? 0) & COLOUR_MODE) !== 0 };
}

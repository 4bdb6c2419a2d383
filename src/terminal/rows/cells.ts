/**
 * Cells: the content of each column of a row, with its attributes. The first column of a wide character holds it, the
 * second is empty.
 */
import type { IBufferCell, IBufferLine } from '@xterm/headless';
import { CELL, IS_COMBINED } from '../xterm/cell-layout.js';
import { sgrOf } from './row-ansi.js';

export interface Cell {
  /** One character with the characters that combine with it; '' for the second column of a wide one. */
  readonly text: string;
  readonly width: 0 | 1 | 2;
  /** Parameters of SGR; '' for none. */
  readonly sgr: string;
}

export type Row = readonly Cell[];

export const BLANK: Cell = { text: ' ', width: 1, sgr: '' };
const BEHIND: Cell = { text: '', width: 0, sgr: '' };
/** Most cells are one of these. They are shared, so they need no memory and can be compared by identity. */
const PLAIN: readonly Cell[] = Array.from({ length: 127 }, (_, code) =>
  code <= 0x20 ? BLANK : { text: String.fromCharCode(code), width: 1, sgr: '' },
);

export const isSame = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.text === b.text && a.sgr === b.sgr && a.width === b.width);

export const blankRow = (cols: number): Row => new Array<Cell>(cols).fill(BLANK);

/** An internal of xterm.js: all attributes of a cell in two numbers. */
interface Packed {
  readonly fg: number;
  readonly bg: number;
}

/** The result of the last reading of a line without combined characters: its numbers and its cells. */
interface KnownRow {
  readonly data: Uint32Array;
  readonly row: Row;
}

/** @param before  The last reading of the same line at the same width. Cells with equal numbers are reused. */
export function readRow(line: IBufferLine | undefined, cols: number, before?: KnownRow, now?: Uint32Array): Row {
  const row: Cell[] = new Array(cols);
  let cell: (IBufferCell & Partial<Packed>) | undefined;
  let look = '';
  let fg: number | undefined;
  let bg: number | undefined;
  for (let x = 0; x < cols; x++) {
    const was = before?.row[x];
    if (was && now && isSameCell(before.data, now, x) && before.row[x - 1]?.width === row[x - 1]?.width) {
      row[x] = was;
      continue;
    }
    cell = line?.getCell(x, cell);
    if (!cell) {
      row[x] = BLANK;
      continue;
    }
    if (fg === undefined || cell.fg !== fg || cell.bg !== bg) {
      look = sgrOf(cell);
      ({ fg, bg } = cell);
    }
    const width = cell.getWidth();
    // A smaller screen may cut a wide character in two. The first half then shows the whole character, the second half
    // is blank.
    if (row[x - 1]?.width === 2) {
      row[x] = BEHIND;
      continue;
    }
    if (width === 0) {
      row[x] = { ...BLANK, sgr: look };
      continue;
    }
    const code = cell.getCode();
    const text = cell.getChars();
    if (look === '' && code < 127 && text.length <= 1) row[x] = PLAIN[code] ?? BLANK;
    // A wide character that does not fit any more is shown as a blank.
    else if (width === 2 && x + 1 >= cols) row[x] = { text: ' ', width: 1, sgr: look };
    else row[x] = { text: text === '' ? ' ' : text, width: width === 2 ? 2 : 1, sgr: look };
  }
  return row;
}

/** An internal of xterm.js: a line with three numbers per cell. */
interface Inside {
  readonly _line?: { readonly _data?: Uint32Array };
}

/**
 * Reads rows, and returns the same row object for an unchanged line, wherever it is now, because most lines do not
 * change between two pictures. A line with combined characters is read each time, because its numbers do not contain
 * them.
 */
export function createRowReader(): (line: IBufferLine | undefined, cols: number) => Row {
  const known = new WeakMap<object, KnownRow>();
  return (line, cols) => {
    const inside = (line as Inside | undefined)?._line;
    const data = inside?._data;
    if (!inside || !data) return readRow(line, cols);
    const kept = known.get(inside);
    const before = kept?.row.length === cols ? kept : undefined;
    if (before && isEqual(before.data, data, cols)) return before.row;
    const row = readRow(line, cols, before, data);
    if (hasCombined(data, cols)) known.delete(inside);
    else known.set(inside, { data: data.slice(0, cols * CELL), row });
    return row;
  };
}

function isEqual(before: Uint32Array, now: Uint32Array, cols: number): boolean {
  if (before.length !== cols * CELL || now.length < before.length) return false;
  for (let i = 0; i < before.length; i++) if (before[i] !== now[i]) return false;
  return true;
}

function isSameCell(before: Uint32Array, now: Uint32Array, x: number): boolean {
  const at = x * CELL;
  return before[at] === now[at] && before[at + 1] === now[at + 1] && before[at + 2] === now[at + 2];
}

function hasCombined(data: Uint32Array, cols: number): boolean {
  for (let x = 0; x < cols; x++) if (((data[x * CELL] ?? 0) & IS_COMBINED) !== 0) return true;
  return false;
}

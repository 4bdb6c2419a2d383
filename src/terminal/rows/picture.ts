/**
 * A picture: everything that a terminal needs to represent a session's screen. Pure.
 *
 * A client's terminal may have another size than the session. It then shows a part of the screen that contains the
 * cursor, or blank columns and rows are added at the right and below.
 */
import type { Size } from '../../protocol/index.js';
import { BLANK, blankRow, isSame, type Row } from './cells.js';

/** The settings of a terminal that a program has changed, in addition to its text. */
export interface Settings {
  /** DEC private modes that are on and change what the terminal sends: keys, mouse, paste, focus, colour scheme. */
  readonly modes: readonly number[];
  readonly hasKeypad: boolean;
  /** The shape in the numbers of DECSCUSR; 0 is the terminal's own. */
  readonly cursorStyle: number;
  /** Flags of the kitty keyboard protocol. */
  readonly keyFlags: number;
  /** The level of xterm's modifyOtherKeys. */
  readonly otherKeys: number;
}

export const NO_SETTINGS: Settings = { modes: [], hasKeypad: false, cursorStyle: 0, keyFlags: 0, otherKeys: 0 };

export interface Picture {
  readonly cols: number;
  /** The rows; each has `cols` columns. */
  readonly rows: readonly Row[];
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly title: string;
  readonly settings: Settings;
  /** Number of bells since the screen was created. */
  readonly bells: number;
  /** True during a synchronized update, which the program wants to be shown as a whole. */
  readonly isUpdating: boolean;
}

/** The upper left corner of the part that is shown. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

export const ORIGIN: Offset = { x: 0, y: 0 };

/**
 * Returns the offset of the part of a screen that a smaller terminal shows: as near to the last offset as the cursor
 * allows.
 *
 * A hidden cursor does not move the part.
 */
export function follow(before: Offset, { cols, rows, cursor }: Picture, size: Size): Offset {
  return {
    x: nearest(before.x, cursor.visible ? cursor.x : null, size.cols, cols),
    y: nearest(before.y, cursor.visible ? cursor.y : null, size.rows, rows.length),
  };
}

function nearest(from: number, wanted: number | null, shown: number, whole: number): number {
  const most = Math.max(0, whole - shown);
  const near = wanted === null ? from : Math.min(Math.max(from, wanted - shown + 1), wanted);
  return Math.min(Math.max(0, near), most);
}

/** Returns the picture that a terminal of this size shows. */
export function crop(picture: Picture, size: Size, { x, y }: Offset): Picture {
  if (picture.cols === size.cols && picture.rows.length === size.rows) return picture;
  const rows: Row[] = [];
  const blank = blankRow(size.cols);
  for (let at = 0; at < size.rows; at++) {
    const row = picture.rows[y + at];
    rows.push(row ? cropRow(row, x, size.cols) : blank);
  }
  const cursor = { ...picture.cursor, x: picture.cursor.x - x, y: picture.cursor.y - y };
  const isInside = cursor.x >= 0 && cursor.x < size.cols && cursor.y >= 0 && cursor.y < size.rows;
  return {
    ...picture,
    cols: size.cols,
    rows,
    cursor: isInside ? cursor : { x: 0, y: 0, visible: false },
  };
}

/** Halves of wide characters at the edges are blank. */
function cropRow(row: Row, from: number, cols: number): Row {
  const cells = row.slice(from, from + cols);
  if (cells[0]?.width === 0) cells[0] = { ...BLANK, sgr: row[from - 1]?.sgr ?? '' };
  const last = cells.length - 1;
  const end = cells[last];
  if (end?.width === 2) cells[last] = { ...BLANK, sgr: end.sgr };
  while (cells.length < cols) cells.push(BLANK);
  return cells;
}

/** True if both rows have equal cells, or neither exists. */
export const isSameRow = (a: Row | undefined, b: Row | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((cell, x) => isSame(cell, b[x])));

/**
 * The painter: changes the picture on a terminal to another one. Pure.
 *
 * In:   the current picture (null: unknown), and the next one; both in the terminal's size.
 * Out:  few bytes: changed cells, rows that moved up by scrolling, modes that were set or reset.
 *
 * Every position is absolute, nothing wraps or scrolls by itself, and rows below the picture are not touched, because a
 * client may have a row of its own there. Between two paintings the terminal has no attributes and no margins. After
 * characters whose width differs between terminals, the position is set again, so that a row never shifts.
 */
import { displayLine } from '../../protocol/index.js';
import { BLANK, blankRow, type Cell, isSame, type Row } from './cells.js';
import { isSameRow, NO_SETTINGS, type Picture, type Settings } from './picture.js';

/**
 * A soft reset, and the settings that it does not reset: no wrapping, the main character set, plain keys, no reports.
 */
const BEGIN = [
  '\x1b[!p\x1b[?7l\x1b[4l\x1b[20l\x1b(B\x0f\x1b[r\x1b[m',
  '\x1b[?1l\x1b>\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l',
  '\x1b[?1004l\x1b[?2004l\x1b[?2031l\x1b[=0u\x1b[>4m\x1b[0 q',
].join('');
const UPDATE = ['\x1b[?2026h', '\x1b[?2026l'] as const;
/** Rewriting up to this many unchanged cells is as cheap as moving the cursor over them. */
const GAP_CELLS = 5;
/** Minimum number of moved rows for which scrolling is shorter. */
const MIN_SCROLLED = 3;

/**
 * Returns the output that changes one picture to the other on a terminal.
 *
 * @param before  The picture that the terminal shows; null if it is unknown. All rows are then painted.
 */
export function paint(before: Picture | null, after: Picture): string {
  const isFresh = before === null || before.cols !== after.cols || before.rows.length !== after.rows.length;
  const there = isFresh ? null : before;
  const pen: Pen = { text: '', sgr: '', x: -1, y: -1 };
  const shown = there ? scroll(pen, there.rows, after.rows) : [];
  let touched = 0;
  for (const [y, row] of after.rows.entries()) {
    if (there && isSameRow(shown[y], row)) continue;
    touched++;
    paintRow(pen, y, there ? shown[y] : undefined, row);
  }
  look(pen, '');
  const cells = pen.text;
  const cursor = after.cursor.visible ? `\x1b[${after.cursor.y + 1};${after.cursor.x + 1}H` : '';
  const hasMoved = cells !== '' || !there || isMoved(there, after);
  const text =
    (there ? '' : BEGIN) +
    settings(there?.settings ?? NO_SETTINGS, after.settings) +
    (after.title !== (there?.title ?? '') && after.title !== '' ? `\x1b]2;${displayLine(after.title)}\x07` : '') +
    cells +
    (there && there.cursor.visible === after.cursor.visible ? '' : after.cursor.visible ? '\x1b[?25h' : '\x1b[?25l') +
    (hasMoved ? cursor : '') +
    (there && after.bells > there.bells ? '\x07' : '');
  return touched > 1 || isFresh ? UPDATE[0] + text + UPDATE[1] : text;
}

const isMoved = ({ cursor: a }: Picture, { cursor: b }: Picture): boolean =>
  a.x !== b.x || a.y !== b.y || a.visible !== b.visible;

// ── cells ────────────────────────────────────────────────

/** The current attributes, and the position of the terminal's cursor; -1 if it is not known. */
interface Pen {
  text: string;
  sgr: string;
  x: number;
  y: number;
}

function look(pen: Pen, sgr: string): void {
  if (pen.sgr === sgr) return;
  pen.text += sgr === '' ? '\x1b[m' : `\x1b[0;${sgr}m`;
  pen.sgr = sgr;
}

function move(pen: Pen, x: number, y: number): void {
  if (pen.x === x && pen.y === y) return;
  pen.text += `\x1b[${y + 1};${x + 1}H`;
  pen.x = x;
  pen.y = y;
}

function put(pen: Pen, cell: Cell, cols: number): void {
  look(pen, cell.sgr);
  pen.text += cell.text;
  const next = pen.x + cell.width;
  pen.x = next < cols && isSteady(cell.text) ? next : -1;
}

/** True for one character of the basic multilingual plane. Most terminals agree about its width. */
const isSteady = (text: string): boolean => text.length === 1;

/** @param before  The current row; undefined if it is not known. */
function paintRow(pen: Pen, y: number, before: Row | undefined, after: Row): void {
  const cols = after.length;
  let end = cols; // from here on the row is blank
  while (end > 0 && isSame(after[end - 1], BLANK)) end--;
  for (let x = 0; x < cols; ) {
    if (before && isSame(before[x], after[x])) {
      x++;
      continue;
    }
    if (x >= end) {
      move(pen, x, y);
      look(pen, '');
      pen.text += '\x1b[K';
      return;
    }
    if (after[x]?.width === 0) x--; // the character that it belongs to
    move(pen, x, y);
    x = paintRun(pen, before, after, x, end);
  }
}

/**
 * Writes from a column on, until GAP_CELLS cells are unchanged.
 * @returns The column after them.
 */
function paintRun(pen: Pen, before: Row | undefined, after: Row, from: number, end: number): number {
  const { y } = pen;
  let same = 0;
  let x = from;
  for (; x < end; x++) {
    const cell = after[x];
    if (!cell || cell.width === 0) continue;
    same = before && isSame(before[x], cell) ? same + 1 : 0;
    if (same > 0 && isUnchanged(before, after, x, Math.min(end, x + GAP_CELLS))) break;
    move(pen, x, y);
    put(pen, cell, after.length);
  }
  return x;
}

function isUnchanged(before: Row | undefined, after: Row, from: number, to: number): boolean {
  for (let x = from; x < to; x++) if (!isSame(before?.[x], after[x])) return false;
  return true;
}

// ── scrolling ────────────────────────────────────────────────

/**
 * Scrolls rows that moved up.
 * @returns The picture after that.
 */
function scroll(pen: Pen, before: readonly Row[], after: readonly Row[]): readonly Row[] {
  const found = findScroll(before, after);
  if (!found) return before;
  const { by, bottom } = found;
  pen.text += `\x1b[1;${bottom}r\x1b[${by}S\x1b[r`;
  const cols = after[0]?.length ?? 0;
  const blank = blankRow(cols);
  return before.map((row, y) => (y >= bottom ? row : y + by < bottom ? (before[y + by] ?? row) : blank));
}

/** Returns by how many rows the upper part has moved up, and where that part ends, counted from 1. */
function findScroll(before: readonly Row[], after: readonly Row[]): { by: number; bottom: number } | null {
  let first = 0;
  while (first < after.length && isSameRow(before[first], after[first])) first++;
  if (first > 0) return null; // what is at the top stayed there
  let best = { by: 0, saved: MIN_SCROLLED - 1, moved: 0 };
  for (let by = 1; by < before.length; by++) {
    let moved = 0;
    let saved = 0;
    while (by + moved < before.length && isSameRow(before[by + moved], after[moved])) {
      if (!isSameRow(before[moved], after[moved])) saved++;
      moved++;
    }
    if (saved > best.saved) best = { by, saved, moved };
  }
  return best.by === 0 ? null : { by: best.by, bottom: best.moved + best.by };
}

// ── settings ────────────────────────────────────────────────

function settings(before: Settings, after: Settings): string {
  if (before === after) return '';
  const off = before.modes.filter((mode) => !after.modes.includes(mode)).map((mode) => `\x1b[?${mode}l`);
  const on = after.modes.filter((mode) => !before.modes.includes(mode)).map((mode) => `\x1b[?${mode}h`);
  return [
    ...off,
    ...on,
    before.hasKeypad === after.hasKeypad ? '' : after.hasKeypad ? '\x1b=' : '\x1b>',
    before.cursorStyle === after.cursorStyle ? '' : `\x1b[${after.cursorStyle} q`,
    before.keyFlags === after.keyFlags ? '' : `\x1b[=${after.keyFlags}u`,
    before.otherKeys === after.otherKeys ? '' : after.otherKeys === 0 ? '\x1b[>4m' : `\x1b[>4;${after.otherKeys}m`,
  ].join('');
}

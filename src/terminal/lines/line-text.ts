/**
 * Line text: the text of a line of the terminal.
 *
 * The same as `translateToString` of xterm.js, but made at once. xterm.js appends one character after the other, and
 * the garbage of that was a fifth of all that the daemon left behind.
 */

import { BACKGROUND, CELL, CODE_POINT, DIM, HAS_CONTENT, IS_COMBINED, WIDTH_SHIFT } from '../xterm/cell-layout.js';
import type { Line } from '../xterm/xterm-core.js';

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const MAX_LATIN1 = 0xff;
const MAX_UNIT = 0xffff;

const MAX_UNITS = 4096;
const units = new Uint16Array(MAX_UNITS);
const bytes = Buffer.alloc(MAX_UNITS);
const wide = Buffer.from(units.buffer);

/** @param isTrimmed  True to leave out the cells at its end that were never written to. */
export function lineText(line: Line, isTrimmed: boolean, from = 0, to = line.length): string {
  const { _data: cells } = line;
  const end = isTrimmed ? Math.min(to, usedCells(line)) : to;
  let count = 0;
  let all = 0;
  for (let column = from; column < end; ) {
    const content = cells[column * CELL] ?? 0;
    const code = content & CODE_POINT || SPACE;
    if (content & IS_COMBINED || code > MAX_UNIT || count === MAX_UNITS)
      return line.translateToString(isTrimmed, from, to);
    all |= code;
    units[count] = code;
    bytes[count++] = code;
    column += content >> WIDTH_SHIFT || 1;
  }
  return textOf(count, all);
}

/**
 * Returns the text of a line without its dim parts and trailing blanks. Dim characters and characters that were never
 * written are blanks.
 */
export function brightText(line: Line): string {
  const { _data: cells, _combined: combined } = line;
  let bright = '';
  let count = 0;
  let all = 0;
  for (let column = 0; column < line.length; column++) {
    const content = cells[column * CELL] ?? 0;
    const width = content >> WIDTH_SHIFT;
    if (width === 0) continue; // the second half of a wide character
    const isDim = ((cells[column * CELL + BACKGROUND] ?? 0) & DIM) !== 0;
    const code = content & CODE_POINT;
    const isBlank = isDim || (content & HAS_CONTENT) === 0 || (code === NO_BREAK_SPACE && !(content & IS_COMBINED));
    if (count + width > MAX_UNITS || (!isBlank && (content & IS_COMBINED || code > MAX_UNIT))) {
      bright += textOf(count, all);
      [count, all] = [0, 0];
    }
    if (isBlank) for (let blank = 0; blank < width; blank++) [units[count], bytes[count++]] = [SPACE, SPACE];
    else if (content & IS_COMBINED) bright += combined[column] ?? '';
    else if (code > MAX_UNIT) bright += String.fromCodePoint(code);
    else {
      all |= code;
      units[count] = code;
      bytes[count++] = code;
    }
  }
  return (bright + textOf(count, all)).trimEnd();
}

/** @param all  All code units, combined by OR. */
const textOf = (count: number, all: number): string =>
  all <= MAX_LATIN1 ? bytes.toString('latin1', 0, count) : wide.toString('utf16le', 0, 2 * count);

/** Returns the number of cells up to the last one that was written to. */
function usedCells({ _data: cells, length }: Line): number {
  for (let column = length - 1; column >= 0; column--) {
    const content = cells[column * CELL] ?? 0;
    if (content & HAS_CONTENT) return column + (content >> WIDTH_SHIFT);
  }
  return 0;
}

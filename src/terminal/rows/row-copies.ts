/**
 * Writes rows of a terminal as text in slices of time, while the terminal goes on.
 *
 * In:   a terminal, and the number of rows above its screen.
 * Out:  the text of its rows at the time of the call.
 *
 * The rows of the screen are written at once. Those above are copied, because the terminal uses a line again once it
 * has left the scrollback. A copy needs a fiftieth of the time of the text.
 */
import type { Terminal } from '@xterm/headless';
import { lineText } from '../lines/line-text.js';
import { coreOf, type Line } from '../xterm/xterm-core.js';
import { rowToAnsi } from './row-ansi.js';

/** Rows that are written before the clock is read again. */
const ROWS_AT_ONCE = 16;

interface RowOptions {
  /** The first row. 0 is the top of the screen; a negative number starts in the scrollback. */
  readonly from: number;
  /** True to include colours. */
  readonly ansi: boolean;
}

/** Rows that are written in slices of time. */
export interface RowTexts {
  /**
   * Continues until `isOver` returns true.
   * @returns True if all rows are written.
   */
  goOn(isOver: () => boolean): boolean;
  /** The rows, from the top. */
  readonly rows: readonly string[];
}

/** Returns rows of the shown screen as text. */
export function rowTexts(terminal: Terminal, { from, ansi }: RowOptions): string[] {
  const { lines, ybase } = coreOf(terminal)._bufferService.buffer;
  const texts: string[] = [];
  for (let y = Math.max(0, ybase + from); y < ybase + terminal.rows; y++)
    texts.push(textOf(lines.get(y), ansi, terminal.cols));
  return texts;
}

/** Begins to write rows of the shown screen. */
export function startRowTexts(terminal: Terminal, { from, ansi }: RowOptions): RowTexts {
  const { cols } = terminal;
  const { lines, ybase } = coreOf(terminal)._bufferService.buffer;
  const above: (Line | undefined)[] = [];
  for (let y = Math.max(0, ybase + from); y < ybase; y++) above.push(copyOf(lines.get(y)));
  const screen = rowTexts(terminal, { from: Math.max(0, from), ansi });
  const rows: string[] = [];
  return {
    goOn(isOver) {
      while (rows.length < above.length) {
        const end = Math.min(above.length, rows.length + ROWS_AT_ONCE);
        while (rows.length < end) rows.push(textOf(above[rows.length], ansi, cols));
        if (rows.length < above.length && isOver()) return false;
      }
      rows.push(...screen.splice(0));
      return true;
    },
    rows,
  };
}

function textOf(line: Line | undefined, ansi: boolean, cols: number): string {
  if (!line) return '';
  return ansi ? rowToAnsi(line, cols) : lineText(line, true);
}

function copyOf(line: Line | undefined): Line | undefined {
  if (!line) return line;
  const { _data, _combined, _extendedAttrs } = line;
  const parts = { _data: _data.slice(), _combined: { ..._combined }, _extendedAttrs: { ..._extendedAttrs } };
  return Object.assign(Object.create(Object.getPrototypeOf(line)), line, parts) as Line;
}

/**
 * The content of a screen in a form in which orchd's and tmux's can be compared: rows with SGR sequences become cells.
 *
 * tmux writes line drawing characters as letters between SO and SI; here they are the real characters. It writes an
 * overline as 5:3 instead of 53, because it prints all codes above 9 as a code with a parameter.
 */
import type { Screen } from '../../src/terminal/index.js';

export interface Look {
  readonly scrollback: readonly (readonly Cell[])[];
  readonly screen: readonly (readonly Cell[])[];
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  /** True if the last column has been written and the next character wraps. orchd's screens do not report it. */
  readonly isWrapPending?: boolean;
  readonly isAlternate: boolean;
  readonly title: string;
}

/** No tested screen keeps more rows above it. */
const MAX_ROWS = 100_000;

export function lookAt(screen: Screen): Look {
  const { cursor, isAlternate, title } = screen;
  const rows = readRows(screen.look({ from: -MAX_ROWS, ansi: true }));
  const above = rows.length - screen.rows;
  return { scrollback: rows.slice(0, above), screen: rows.slice(above), cursor, isAlternate, title };
}

/** The character of a cell, and its attributes in a canonical order. */
export interface Cell {
  readonly chars: string;
  readonly look: string;
}

const DRAWING = '`abcdefghijklmnopqrstuvwxyz{|}~';
const DRAWN = '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';

/** Rows must be in order, because tmux continues attributes from one row to the next. */
export function readRows(rows: readonly string[]): Cell[][] {
  const state: State = { look: [], isDrawing: false };
  return rows.map((row) => readRow(row, state));
}

interface State {
  look: readonly string[];
  isDrawing: boolean;
}

/** Cells up to the last that shows. */
function readRow(row: string, state: State): Cell[] {
  const cells: Cell[] = [];
  for (const [token] of row.matchAll(/\x1b\[[\d;:]*m|[\x0e\x0f]|[^\x1b]/gu)) {
    if (token === '\x0e' || token === '\x0f') state.isDrawing = token === '\x0e';
    else if (token.startsWith('\x1b')) state.look = withSgr(state.look, token.slice(2, -1));
    else cells.push({ chars: state.isDrawing ? drawn(token) : token, look: [...state.look].sort().join(' ') });
  }
  for (let last = cells.at(-1); last && !shows(last); last = cells.at(-1)) cells.pop();
  return cells;
}

/** True if the cell shows something: a character, or a blank with an underline, a background or a similar attribute. */
export const shows = (cell: Cell | undefined): boolean =>
  cell?.chars !== ' ' || /(^| )([479]|53|4[0-7]|10[0-7]|48;\S+)( |$)/.test(cell.look);

const drawn = (letter: string): string => [...DRAWN][DRAWING.indexOf(letter)] ?? letter;

const OFF: Readonly<Record<number, readonly string[]>> = {
  22: ['1', '2'],
  23: ['3'],
  24: ['4'],
  25: ['5'],
  27: ['7'],
  28: ['8'],
  29: ['9'],
  55: ['53'],
};

function withSgr(look: readonly string[], params: string): readonly string[] {
  let now = [...look];
  const codes = params.split(';');
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? '';
    const number = code === '5:3' ? 53 : Number(code === '' ? 0 : code.split(':')[0]);
    if (number === 0) now = [];
    else if (number === 38 || number === 48 || number === 58) {
      const kind = codes[i + 1];
      const length = kind === '2' ? 4 : 1 + 1;
      const colour = code.includes(':') ? code : codes.slice(i, i + 1 + length).join(';');
      if (!code.includes(':')) i += length;
      now = [...now.filter((one) => kindOf(one) !== number), short(colour.replaceAll(':', ';').replace(/;;/g, ';'))];
    } else if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97))
      now = [...now.filter((one) => kindOf(one) !== 38), code];
    else if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107))
      now = [...now.filter((one) => kindOf(one) !== 48), code];
    else if (number === 39) now = now.filter((one) => kindOf(one) !== 38);
    else if (number === 49) now = now.filter((one) => kindOf(one) !== 48);
    else if (number === 59) now = now.filter((one) => kindOf(one) !== 58);
    else if (OFF[number]) now = now.filter((one) => !OFF[number]?.includes(one));
    else now = [...now.filter((one) => one !== String(number)), String(number)];
  }
  return now;
}

/** Returns the short form of a colour: the first 16 colours can be written in two ways. */
function short(colour: string): string {
  const [lead, kind, index] = colour.split(';').map(Number);
  if (kind !== 5 || index === undefined || lead === undefined || lead === 58 || index > 15) return colour;
  return String(index < 8 ? lead - 8 + index : lead + 52 + index - 8);
}

function kindOf(one: string): number {
  const number = Number(one.split(';')[0]);
  if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) return 38;
  if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) return 48;
  return number;
}

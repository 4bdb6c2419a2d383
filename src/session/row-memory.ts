/**
 * Row memory: the rows of a terminal as the screen ear reads them. Most rows are as they were at the last look: then it is the same row,
 * and not read again.
 *
 * In:   the terminal's lines.
 * Out:  rows (`read`); or only a copy of the cells, where no row that has changed could begin a message (`keep`), and the rows that such
 *       a copy would have given, later (`kept`).
 */
import type { IBufferLine, Terminal } from '@xterm/headless';
import type { ScreenRow } from '../ears/index.js';
import { coreOf, type Line, type Buffer as ScreenBuffer } from '../terminal/index.js';
import { openTerminal } from './ear-terminal.js';
import { MIN_COLS, panelColumn } from './side-panel.js';

interface Remembered {
  /** A copy of the line's cells. */
  readonly cells: Uint32Array;
  isSoft: boolean;
  isCut: boolean;
  /** Null: nobody has read it. */
  row: ScreenRow | null;
}

/** Of a cell's three numbers: content, text colour, background. */
const CELL = 3;
/** Several code points in a cell: what they are stands elsewhere. */
const IS_COMBINED = 0x200000;
const CODE_POINT = 0x1fffff;
const NO_ROW: ScreenRow = { text: '', isSoft: false };
/** What no row can do without that begins or decides something (`isNotable`), and what follows it; '': whatever follows. */
const SIGNS: readonly (readonly [first: string, next: string])[] = [
  ...Array.from('{`~⎿└╰├↳', (sign) => [sign, ''] as const),
  ['<', 'o'],
  [':', 'O'],
];
const NEXT_OF_SIGN = new Map(SIGNS.map(([first, next]) => [first.codePointAt(0), next.codePointAt(0) ?? 0]));
/** No sign is less than the first of these; letters, of which there are most, are none. */
const [FIRST_SIGN, FIRST_LETTER, LAST_LETTER] = [0x3a, 0x61, 0x7a];

/** Of characters, for who knows only which of them are painted in a row: with two of a pair there may be the sign. */
const [IS_SIGN, FIRSTS, SECONDS] = [1, [2, 8], [4, 16]] as const;
export const SIGN_KINDS = new Uint8Array(0x10000);
SIGNS.filter(([, next]) => next === '').forEach(([sign]) => {
  SIGN_KINDS[sign.charCodeAt(0)] = IS_SIGN;
});
SIGNS.filter(([, next]) => next !== '').forEach(([first, next], pair) => {
  SIGN_KINDS[first.charCodeAt(0)] = FIRSTS[pair] ?? IS_SIGN;
  SIGN_KINDS[next.charCodeAt(0)] = SECONDS[pair] ?? IS_SIGN;
});

/** Whether a row of characters of such kinds could begin or decide something. */
export function hasSigns(kinds: number): boolean {
  return (
    (kinds & IS_SIGN) !== 0 ||
    FIRSTS.some((first, pair) => (kinds & first) !== 0 && (kinds & (SECONDS[pair] ?? 0)) !== 0)
  );
}

export class RowMemory {
  /** By how far above the lowest row of the screen. */
  #rows: (Remembered | undefined)[] = [];
  /** A terminal of one line, on which copies are read. */
  #copy: Terminal | null = null;

  /** @returns So many rows from line `first` on; the last ones are those of the screen. */
  read(terminal: Terminal, buffer: ScreenBuffer, first: number, count: number): ScreenRow[] {
    const view = terminal.buffer.active;
    const rows: ScreenRow[] = [];
    for (let index = 0; index < count; index++) {
      const y = first + index;
      const line = buffer.lines.get(y);
      if (!line) {
        rows.push(NO_ROW);
        continue;
      }
      const isCut = buffer.lines.get(y + 1)?.isWrapped ?? false;
      const above = count - index;
      const before = this.#rows[above];
      if (before && before.isSoft === line.isWrapped && before.isCut === isCut && isSame(line, before.cells)) {
        before.row ??= readLine(view.getLine(y), terminal.cols, isCut);
        rows.push(before.row);
        continue;
      }
      const row = readLine(view.getLine(y), terminal.cols, isCut);
      const cells = before?.cells.length === line._data.length ? before.cells : new Uint32Array(line._data.length);
      cells.set(line._data);
      this.#rows[above] = { cells, isSoft: line.isWrapped, isCut, row };
      rows.push(row);
    }
    this.#rows.length = Math.min(this.#rows.length, count + 1);
    return rows;
  }

  /**
   * Copies what has changed, without reading it.
   *
   * @returns Whether it could be left at that; false: a row has changed that must be read.
   */
  keep(buffer: ScreenBuffer, first: number, count: number): boolean {
    for (let index = 0; index < count; index++) {
      const line = buffer.lines.get(first + index);
      const before = this.#rows[count - index];
      if (!line || before?.cells.length !== line._data.length) return false;
      const isCut = buffer.lines.get(first + index + 1)?.isWrapped ?? false;
      if (before.isSoft === line.isWrapped && before.isCut === isCut && isSame(line, before.cells)) continue;
      if (hasSign(line)) return false;
      before.cells.set(line._data);
      before.isSoft = line.isWrapped;
      before.isCut = isCut;
      before.row = null;
    }
    return true;
  }

  /** Copies what has changed, whatever it is: rows that were read or kept before. */
  copy(buffer: ScreenBuffer, first: number, count: number): void {
    for (let index = 0; index < count; index++) {
      const line = buffer.lines.get(first + index);
      const before = this.#rows[count - index];
      // What has several code points in a cell was not painted over since: nobody could have said what that would begin.
      if (!line || !before || hasCombined(line)) continue;
      const isCut = buffer.lines.get(first + index + 1)?.isWrapped ?? false;
      if (before.isSoft === line.isWrapped && before.isCut === isCut && isSame(line, before.cells)) continue;
      before.cells.set(line._data);
      before.isSoft = line.isWrapped;
      before.isCut = isCut;
      before.row = null;
    }
  }

  /** Whether it has every row of a screen of this size. */
  holds(cols: number, rows: number): boolean {
    for (let above = 1; above <= rows; above++) if (this.#rows[above]?.cells.length !== cols * CELL) return false;
    return true;
  }

  /** The rows of a screen of this size, as they were when they were last read or kept. */
  kept(cols: number, count: number): ScreenRow[] {
    return Array.from({ length: count }, (_, index) => {
      const remembered = this.#rows[count - index];
      if (!remembered) return NO_ROW;
      remembered.row ??= this.#readCopy(remembered, cols);
      return remembered.row;
    });
  }

  #readCopy({ cells, isSoft, isCut }: Remembered, cols: number): ScreenRow {
    if (this.#copy?.cols !== cols) {
      this.#copy?.dispose();
      this.#copy = openTerminal(cols, 1);
    }
    coreOf(this.#copy)._bufferService.buffer.lines.get(0)?._data.set(cells);
    return { ...readLine(this.#copy.buffer.active.getLine(0), cols, isCut), isSoft };
  }

  dispose(): void {
    this.#copy?.dispose();
    this.#copy = null;
  }
}

function hasCombined({ _data: cells }: Line): boolean {
  for (let at = 0; at < cells.length; at += CELL) if (((cells[at] as number) & IS_COMBINED) !== 0) return true; // within bounds
  return false;
}

/** Of several code points in a cell nobody says what they are. */
function hasSign({ _data: cells }: Line): boolean {
  for (let at = 0; at < cells.length; at += CELL) {
    const content = cells[at] as number; // within bounds
    const code = content & CODE_POINT;
    if ((content & IS_COMBINED) !== 0) return true;
    if (code < FIRST_SIGN || (code >= FIRST_LETTER && code <= LAST_LETTER)) continue;
    const next = NEXT_OF_SIGN.get(code);
    if (next !== undefined && (next === 0 || next === ((cells[at + CELL] ?? 0) & CODE_POINT))) return true;
  }
  return false;
}

/** In what is read of it: characters, and the background where a side panel may be; the colour of text says nothing. */
function isSame({ _data: cells, length }: Line, before: Uint32Array): boolean {
  if (cells.length !== before.length || cells[2] !== before[2]) return false;
  for (let at = 0; at < cells.length; at += CELL) {
    const content = cells[at] as number; // within bounds
    if (content !== before[at] || (content & IS_COMBINED) !== 0) return false;
  }
  if (length < MIN_COLS) return true;
  for (let at = 2; at < cells.length; at += CELL) if (cells[at] !== before[at]) return false;
  return true;
}

function readLine(line: IBufferLine | undefined, cols: number, isCut: boolean): ScreenRow {
  if (!line) return NO_ROW;
  const panel = panelColumn(line, cols);
  const text = panel === null ? line.translateToString(!isCut) : line.translateToString(true, 0, panel);
  return { text, isSoft: line.isWrapped, goesOn: isCut, isShaded: line.getCell(0)?.isBgDefault() === false };
}

/**
 * Row memory: the rows of a terminal as the screen ear reads them. Most rows are as they were at the last look: then it is the same row,
 * and not read again.
 */
import type { IBufferLine, Terminal } from '@xterm/headless';
import type { ScreenRow } from '../ears/index.js';
import type { Line, Buffer as ScreenBuffer } from '../terminal/index.js';
import { MIN_COLS, panelColumn } from './side-panel.js';

interface Remembered {
  /** A copy of the line's cells. */
  readonly cells: Uint32Array;
  readonly isSoft: boolean;
  readonly isCut: boolean;
  readonly row: ScreenRow;
}

/** Of a cell's three numbers: content, text colour, background. */
const CELL = 3;
/** Several code points in a cell: what they are stands elsewhere. */
const IS_COMBINED = 0x200000;
const NO_ROW: ScreenRow = { text: '', isSoft: false };

export class RowMemory {
  /** By how far above the lowest row of the screen. */
  #rows: (Remembered | undefined)[] = [];

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
        rows.push(before.row);
        continue;
      }
      const seen = view.getLine(y);
      const row = seen ? readRow(seen, terminal.cols, isCut) : NO_ROW;
      const cells = before?.cells.length === line._data.length ? before.cells : new Uint32Array(line._data.length);
      cells.set(line._data);
      this.#rows[above] = { cells, isSoft: line.isWrapped, isCut, row };
      rows.push(row);
    }
    this.#rows.length = Math.min(this.#rows.length, count + 1);
    return rows;
  }
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

function readRow(line: IBufferLine, cols: number, isCut: boolean): ScreenRow {
  const panel = panelColumn(line, cols);
  const text = panel === null ? line.translateToString(!isCut) : line.translateToString(true, 0, panel);
  return { text, isSoft: line.isWrapped, isShaded: line.getCell(0)?.isBgDefault() === false };
}

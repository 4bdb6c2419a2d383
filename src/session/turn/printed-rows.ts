/**
 * Printed rows: the text that a program's output leaves on a terminal of unlimited height.
 *
 * In:   output bytes, cut anywhere.
 * Out:  rows of text. A row without cursor movement keeps its bytes exactly, tabs and length included. A row that is
 *       edited (returns, backspaces, line editors) becomes cells of a terminal of `cols` columns, and shows what a
 *       reader sees.
 *
 * Moves to rows above work as far as the rows are known. A program that addresses the screen (`ESC [ H`, scroll
 * regions, the alternate screen) sets `isPainted`: these rows are then not its text.
 */

import { ESC } from '../../terminal/index.js';
import { EscapeReader, type EscapeSink } from '../rows/escape-reader.js';
import { RowCells } from '../rows/row-cells.js';
import { ERASE_DISPLAY, type RowControl, readControl } from '../rows/row-controls.js';

interface PrintedRow {
  readonly text: string;
  /** True if a line editor printed in it: the cursor moved, or bracketed paste was on. */
  readonly isEditors: boolean;
}

interface OpenRow {
  chunks: Buffer[];
  cells: RowCells | null;
  isReturned: boolean;
  isEditors: boolean;
}

const BRACKETED_PASTE = 2004;
/** Line editors set these when they begin: application cursor keys, and the meta key. */
const EDITOR_MODES: readonly number[] = [1, 1034];
const SET = 0x68;
const RESET = 0x6c;
/** Maximum number of rows above the cursor that a repaint can reach. */
const MAX_OPEN_ROWS = 500;

const EDITS: Readonly<Partial<Record<RowControl, (cells: RowCells, count: number) => void>>> = {
  forward: (cells, count) => cells.moveBy(count),
  back: (cells, count) => cells.moveBy(-count),
  column: (cells, count) => cells.moveTo(count - 1),
  delete: (cells, count) => cells.deleteChars(count),
  insert: (cells, count) => cells.insertChars(count),
  blank: (cells, count) => cells.eraseChars(count),
};

export class PrintedRows implements EscapeSink {
  isPainted = false;
  readonly #cols: number;
  readonly #escape = new EscapeReader(this);
  /** Rows that are too far above the cursor to change. */
  readonly #closed: PrintedRow[] = [];
  #open: OpenRow[] = [newRow()];
  #at = 0;
  #hasPasteMode = false;
  #hasEditor = false;

  constructor(cols: number) {
    this.#cols = cols;
  }

  push(bytes: Buffer): void {
    let at = this.#escape.isOpen ? this.#escape.read(bytes, 0) : 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number; // within bounds
      if (byte === ESC) {
        this.#escape.begin(0);
        at = this.#escape.read(bytes, at + 1);
        continue;
      }
      if (byte < 0x20 && byte !== 9) {
        this.single(byte);
        at++;
        continue;
      }
      let end = at + 1;
      while (end < bytes.length && ((bytes[end] as number) >= 0x20 || bytes[end] === 9)) end++; // within bounds
      this.#print(bytes.subarray(at, end));
      at = end;
    }
  }

  rows(): PrintedRow[] {
    return [...this.#closed, ...this.#open.map(closedRow)];
  }

  #row(): OpenRow {
    return this.#open[this.#at] as OpenRow; // #at is always within #open
  }

  #print(text: Buffer): void {
    const row = this.#row();
    if (this.#hasPasteMode || this.#hasEditor) row.isEditors = true;
    if (row.isReturned) this.#edit();
    if (row.cells) row.cells.write(text, 0, text.length);
    else row.chunks.push(Buffer.from(text));
  }

  #edit(): RowCells {
    const row = this.#row();
    if (!row.cells) {
      row.cells = new RowCells(this.#cols);
      const text = Buffer.concat(row.chunks);
      row.cells.write(text, 0, text.length);
      row.chunks = [];
    }
    row.cells.flush();
    if (row.isReturned) row.cells.return();
    row.isReturned = false;
    return row.cells;
  }

  single(code: number): void {
    if (code >= 10 && code <= 12) this.#lineFeed();
    else if (code === 13) this.#row().isReturned = true;
    else if (code === 8) this.#move((cells) => cells.moveBy(-1));
    else if (code === 9) this.#print(Buffer.from('\t'));
  }

  #lineFeed(): void {
    if (this.#at + 1 < this.#open.length || (this.#row().cells?.rowsBelow ?? 0) > 0) {
      this.#down(1);
      return;
    }
    this.#row().isReturned = false;
    this.#at++;
    this.#open.push(newRow());
    if (this.#open.length <= 2 * MAX_OPEN_ROWS) return;
    for (const row of this.#open.splice(0, MAX_OPEN_ROWS)) this.#closed.push(closedRow(row));
    this.#at -= MAX_OPEN_ROWS;
  }

  #move(move: (cells: RowCells) => void): void {
    this.#row().isEditors = true;
    move(this.#edit());
  }

  escape(final: number): void {
    const name = String.fromCharCode(final);
    if (name === 'D' || name === 'E') this.#lineFeed();
    else if (name === 'M') this.#up(1);
    else if (name === 'c') this.isPainted = true;
  }

  control(final: number, mark: string, parameters: readonly number[]): void {
    if (mark === '?' && (final === SET || final === RESET)) {
      if (parameters.includes(BRACKETED_PASTE)) this.#hasPasteMode = final === SET;
      if (final === SET && parameters.some((mode) => EDITOR_MODES.includes(mode))) this.#hasEditor = true;
    }
    const count = Math.max(1, parameters[0] ?? -1);
    const control = readControl(final, mark, parameters);
    if (control === null) return; // colours, modes and queries change no text
    const edit = EDITS[control];
    if (edit) this.#move((cells) => edit(cells, count));
    else if (control === 'up') this.#up(count);
    else if (control === 'down') this.#down(count);
    else if (control === 'paint' || control === 'alternate') this.isPainted = true;
    else if (control === 'erase') {
      if (final === ERASE_DISPLAY) this.#open.splice(this.#at + 1);
      this.#erase(Math.max(0, parameters[0] ?? -1));
    }
  }

  command(): void {
    // a title or a notification is no text
  }

  /** Programs erase to the right after each colour. At the end of the text, that is not an edit. */
  #erase(part: number): void {
    const row = this.#row();
    const isAtEnd = part === 0 && !row.cells && !row.isReturned;
    if (!isAtEnd && part <= 2) this.#edit().erase(part);
  }

  #up(count: number): void {
    const cells = this.#edit();
    const above = Math.min(count, cells.rowsAbove);
    cells.moveRows(-above);
    this.#go(this.#at - (count - above));
  }

  #down(count: number): void {
    const cells = this.#edit();
    const below = Math.min(count, cells.rowsBelow);
    cells.moveRows(below);
    this.#go(Math.min(this.#at + (count - below), this.#open.length - 1));
  }

  /** Moves the cursor to another row: upwards to its last screen row, downwards to its first one. The column stays. */
  #go(to: number): void {
    this.#row().isEditors = true;
    if (to === this.#at) return;
    if (to < 0) this.isPainted = true;
    const column = this.#edit().screenColumn;
    const isUp = to < this.#at;
    this.#at = Math.max(0, to);
    const cells = this.#edit();
    cells.moveRows(isUp ? cells.rowsBelow : -cells.rowsAbove);
    cells.moveTo(column);
    this.#row().isEditors = true;
  }
}

const newRow = (): OpenRow => ({ chunks: [], cells: null, isReturned: false, isEditors: false });

const closedRow = ({ chunks, cells, isEditors }: OpenRow): PrintedRow => ({
  text: cells ? cells.text() : Buffer.concat(chunks).toString('utf8'),
  isEditors,
});

/**
 * Growing row: the row that a program is printing, until its line feed. Until the first edit it is unchanged bytes;
 * from then on it is cells (row-cells.ts). It keeps MAX_ROW_BYTES and drops the rest. The row then says that it is cut.
 */
import { RowCells, type RowCellsState } from './row-cells.js';

/** Maximum bytes of a row for matching: longer lines are data, not messages. */
export const MAX_ROW_BYTES = 64 * 1024;
const FIRST_BYTES = 256;
/** Maximum number of columns that a cursor moves to the right in a terminal of unknown width. */
const MAX_BLANKS = 1000;
const MAX_SPARE_COLUMNS = 1000;
/** A smaller number of bytes is copied one by one. */
const FEW_BYTES = 128;
/** In a row up to this length, a carriage return followed by an erasure is handled without cells. */
const MAX_ERASED_BYTES = 4096;
const TAB = 9;

export interface GrowingRowState {
  readonly cols: number;
  readonly from: number;
  /** Base 64. */
  readonly bytes: string;
  readonly isCut: boolean;
  readonly isReturned: boolean;
  readonly cells: RowCellsState | null;
}

export class GrowingRow {
  #cols: number;
  #bytes = Buffer.alloc(FIRST_BYTES);
  #length = 0;
  #isCut = false;
  #cells: RowCells | null = null;
  /** Cells of an earlier row, kept for reuse: some programs redraw a row a hundred times a second. */
  #spare: RowCells | null = null;
  /** Journal position of the row's first byte; -1 while the row is empty. */
  from = -1;
  /**
   * True if a carriage return came last: before a line feed it ends the row, before anything else the row is edited.
   */
  isReturned = false;

  constructor(state?: GrowingRowState) {
    this.#cols = state?.cols ?? 0;
    if (!state) return;
    this.from = state.from;
    const bytes = Buffer.from(state.bytes, 'base64');
    this.#append(bytes, 0, bytes.length);
    this.#isCut = state.isCut;
    this.isReturned = state.isReturned;
    this.#cells = state.cells && new RowCells(this.#cols, state.cells);
  }

  state(): GrowingRowState {
    return {
      cols: this.#cols,
      from: this.from,
      bytes: this.#bytes.toString('base64', 0, this.#length),
      isCut: this.#isCut,
      isReturned: this.isReturned,
      cells: this.#cells?.state() ?? null,
    };
  }

  resize(cols: number): void {
    if (cols === this.#cols) return;
    this.#cols = cols;
    this.#spare = null;
    if (this.#cells) this.#cells = new RowCells(cols, this.#cells.state());
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#cells === null;
  }

  get isCut(): boolean {
    return this.#isCut || (this.#cells?.isCut ?? false);
  }

  /** An upper bound of the work to read the row: bytes or columns. */
  get length(): number {
    return this.#cells?.length ?? this.#length;
  }

  /**
   * Returns the bytes of a row that was never edited, valid until it grows; null if it was edited, is cut, or is empty.
   */
  plain(): Buffer | null {
    return this.#cells || this.#isCut || this.#length === 0 ? null : this.#bytes.subarray(0, this.#length);
  }

  /** Returns the bytes of an edited row, valid until the next request for a row. */
  edited(): Buffer | null {
    return this.isCut ? null : (this.#cells?.utf8() ?? null);
  }

  /** Returns the beginning of an edited row that is longer; valid as `edited`. */
  editedHead(columns: number): Buffer | null {
    return this.isCut ? null : (this.#cells?.head(columns) ?? null);
  }

  text(): string {
    return this.#cells ? this.#cells.text() : this.#bytes.toString('utf8', 0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.from = -1;
    if (this.#cells && this.#cells.length <= MAX_SPARE_COLUMNS) {
      this.#spare = this.#cells;
      this.#spare.clear();
    }
    this.#cells = null;
    this.#isCut = false;
    this.isReturned = false;
  }

  /** @param position  Journal position of the byte at `start`. */
  print(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (this.from === -1) this.from = position;
    if (this.isReturned) this.edit(position).write(bytes, start, end);
    else if (this.#cells) this.#cells.write(bytes, start, end);
    else this.#append(bytes, start, end);
  }

  /** Moves the cursor to the right. */
  forward(columns: number, position: number): void {
    if (this.#cells || this.isReturned || this.#cols > 0) {
      this.edit(position).moveBy(columns);
      return;
    }
    const count = Math.min(columns, MAX_BLANKS);
    this.print(Buffer.alloc(count, 32), 0, count, position);
  }

  /** Converts the row to cells. The cursor keeps its place. */
  edit(position: number): RowCells {
    if (this.from === -1) this.from = position;
    if (!this.#cells) {
      this.#cells = this.#spare ?? new RowCells(this.#cols);
      this.#spare = null;
      this.#cells.write(this.#bytes, 0, this.#length);
      this.#cells.isCut ||= this.#isCut;
      this.#length = 0;
    }
    this.#cells.flush();
    if (this.isReturned) this.#cells.return();
    this.isReturned = false;
    return this.#cells;
  }

  /** Erases a part of the row. Many programs erase after each colour at the end of the text, where it has no effect. */
  erase(part: number, position: number): void {
    if (this.isEmpty || (part === 0 && !this.#cells && !this.isReturned)) return;
    if (this.isReturned && part !== 1 && this.#isShort()) this.clear();
    else this.edit(position).erase(part);
  }

  /**
   * True if the row was never edited and fits one screen row: except for TAB, a character has no more columns than
   * bytes.
   */
  #isShort(): boolean {
    if (this.#cells || this.#isCut || this.#length > (this.#cols || MAX_ERASED_BYTES)) return false;
    const tab = this.#cols === 0 ? -1 : this.#bytes.indexOf(TAB);
    return this.#length <= MAX_ERASED_BYTES && (tab === -1 || tab >= this.#length);
  }

  /** Moves the cursor by screen rows (up is negative). Returns false if the row does not reach there. */
  moveRows(rows: number): boolean {
    const cells = this.#cells;
    if (!cells || (rows < 0 ? -rows > cells.rowsAbove : rows > cells.rowsBelow)) return false;
    cells.moveRows(rows);
    return true;
  }

  /** Moves the cursor one screen row down, to the same column. Returns false in the row's last screen row. */
  moveDown(position: number): boolean {
    return this.#cells !== null && this.edit(position).rowsBelow > 0 && this.moveRows(1);
  }

  /** Makes a row that was edited until it was empty equal to a new one. */
  tidy(): void {
    if (this.#cells?.isFresh) this.clear();
  }

  #append(bytes: Uint8Array, start: number, end: number): void {
    const count = Math.min(end - start, MAX_ROW_BYTES - this.#length);
    if (count < end - start) this.#isCut = true;
    if (this.#length + count > this.#bytes.length) {
      const larger = Buffer.alloc(Math.min(MAX_ROW_BYTES, Math.max(this.#bytes.length * 2, this.#length + count)));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    const [kept, length] = [this.#bytes, this.#length];
    if (count < FEW_BYTES) {
      for (let at = 0; at < count; at++) kept[length + at] = bytes[start + at] as number; // within bounds
    } else kept.set(bytes.subarray(start, start + count), length);
    this.#length = length + count;
  }
}

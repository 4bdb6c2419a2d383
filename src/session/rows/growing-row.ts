/**
 * Growing row: the row that a program is printing, until its line feed.
 *
 * While characters only follow one another, it is their unchanged bytes. From the first edit on it is cells
 * (row-cells.ts). It keeps MAX_ROW_BYTES and drops the rest, and the row says that it is cut.
 */
import { RowCells, type RowCellsState } from './row-cells.js';

/** Maximum bytes of a row for matching: longer lines are data, not messages. */
export const MAX_ROW_BYTES = 64 * 1024;
const FIRST_BYTES = 256;
/** How far a cursor moves to the right in a terminal of unknown width. */
const MAX_BLANKS = 1000;
const MAX_SPARE_COLUMNS = 1000;
/** Fewer bytes are copied one by one. */
const FEW_BYTES = 128;
/** A return erases what follows it in so short a row, without cells for it. */
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
  /**
   * Cells of an earlier row for reuse: a program that redraws its row a hundred times a second needs no new ones each
   * time.
   */
  #spare: RowCells | null = null;
  /** Position of its first byte; -1 while nothing has begun. */
  from = -1;
  /** A carriage return came last: with a line feed it ends the row, with anything else the row is edited. */
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

  /** Bytes or columns; an upper bound of neither, but of the work to read it. */
  get length(): number {
    return this.#cells?.length ?? this.#length;
  }

  /** The bytes of a row that was never edited, borrowed until it grows; null if it was, or is cut or empty. */
  plain(): Buffer | null {
    return this.#cells || this.#isCut || this.#length === 0 ? null : this.#bytes.subarray(0, this.#length);
  }

  /** Like `plain`, for an edited row; borrowed until another row is requested. */
  edited(): Buffer | null {
    return this.isCut ? null : (this.#cells?.utf8() ?? null);
  }

  /** Returns the beginning of an edited row that is longer; borrowed as `edited`. */
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

  /** @param position  Of the byte at `start`. */
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

  /** The row as cells, to be edited; the cursor stands where it is. */
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

  /**
   * Erases in the row. At the end of the printed text there is nothing to erase, and many programs do that after each
   * colour.
   */
  erase(part: number, position: number): void {
    if (this.isEmpty || (part === 0 && !this.#cells && !this.isReturned)) return;
    if (this.isReturned && part !== 1 && this.#isShort()) this.clear();
    else this.edit(position).erase(part);
  }

  /**
   * True if the row was never edited, and surely fits one screen row: except for TAB, a character takes no more columns
   * than bytes.
   */
  #isShort(): boolean {
    if (this.#cells || this.#isCut || this.#length > (this.#cols || MAX_ERASED_BYTES)) return false;
    const tab = this.#cols === 0 ? -1 : this.#bytes.indexOf(TAB);
    return this.#length <= MAX_ERASED_BYTES && (tab === -1 || tab >= this.#length);
  }

  /** Moves the cursor by screen rows (up is negative), if so many belong to this row. */
  moveRows(rows: number): boolean {
    const cells = this.#cells;
    if (!cells || (rows < 0 ? -rows > cells.rowsAbove : rows > cells.rowsBelow)) return false;
    cells.moveRows(rows);
    return true;
  }

  /** An edited row in which nothing is left is as good as a new one. */
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

/**
 * Row cells: one row as a terminal keeps it, once a program moves about in it: a code point per column.
 *
 * A row is *logical*: it ends at a line feed and may be wider than the terminal; with `width` columns it then stands on several
 * screen rows, and returns, moves and erasures stay within the screen row they happen in.
 *
 *     $ a command that is longer than the termin      screen row 0, columns 0 to 41
 *     al is wide▁                                     screen row 1, columns 42 to 83
 */
import { charWidth } from './char-width.js';

/** What is kept of a row; more is cut. */
export const MAX_ROW_COLUMNS = 64 * 1024;
/** How far a cursor moves in a terminal of unknown width; the widest that we host. */
const UNKNOWN_WIDTH = 1000;
const MAX_MARKS_PER_CELL = 8;
const TAB_STOP = 8;
const SPACE = 32;
/** The second column of a wide character. */
const TAIL = 0xffffffff;
const REPLACEMENT = 0xfffd;
const MAX_UTF8_BYTES = 4;

export interface RowCellsState {
  readonly codes: readonly number[];
  readonly column: number;
  readonly isWrapping: boolean;
  readonly isCut: boolean;
  readonly marks: readonly (readonly [number, string])[];
  readonly bytes: readonly number[];
}

export class RowCells {
  #codes = new Uint32Array(128);
  #length = 0;
  #column = 0;
  /** The last character filled its screen row; the next one goes to the row below, but a return stays here. */
  #isWrapping = false;
  isCut = false;
  /** Combining characters by column. */
  readonly #marks: Map<number, string>;
  /** Of a UTF-8 character whose other bytes have not come: so many. */
  readonly #open = new Uint8Array(MAX_UTF8_BYTES);
  #openLength = 0;
  readonly #width: number;

  /** @param width  Columns of the terminal; 0 if nobody knows. */
  constructor(width: number, state?: RowCellsState) {
    this.#width = width;
    this.#marks = new Map(state?.marks);
    if (!state) return;
    this.#reserve(state.codes.length);
    this.#codes.set(state.codes);
    this.#length = state.codes.length;
    this.#column = state.column;
    this.#isWrapping = state.isWrapping;
    this.isCut = state.isCut;
    this.#open.set(state.bytes);
    this.#openLength = state.bytes.length;
  }

  state(): RowCellsState {
    return {
      codes: [...this.#codes.subarray(0, this.#length)],
      column: this.#column,
      isWrapping: this.#isWrapping,
      isCut: this.isCut,
      marks: [...this.#marks],
      bytes: [...this.#open.subarray(0, this.#openLength)],
    };
  }

  /** Nothing stands in the row and the cursor is at its head: as good as new. */
  get isFresh(): boolean {
    return this.#length === 0 && this.#column === 0 && this.#openLength === 0 && !this.isCut;
  }

  get length(): number {
    return this.#length;
  }

  /** Prints UTF-8, cut anywhere; invalid bytes become U+FFFD as everywhere. */
  write(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    if (this.#openLength === 0 && this.#marks.size === 0 && this.#column + (end - start) < MAX_ROW_COLUMNS) {
      at = this.#writeAscii(bytes, start, end);
    }
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < 0x80 && this.#openLength === 0) {
        if (byte === 9) this.tab();
        else this.#put(byte, 1);
      } else this.#writeByte(byte);
    }
  }

  /** Most of what is printed has one byte and one column. @returns The index of the first character that is another. */
  #writeAscii(bytes: Uint8Array, start: number, end: number): number {
    this.#reserve(this.#column + end - start);
    const codes = this.#codes;
    let column = this.#column;
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x80 || byte === 9) break;
      codes[column++] = byte;
    }
    if (at === start) return at;
    this.#column = column;
    if (column > this.#length) this.#length = column;
    this.#isWrapping = this.#width > 0 && column % this.#width === 0;
    return at;
  }

  /** A control character or escape sequence stands where the rest of a character should. */
  flush(): void {
    if (this.#openLength === 0) return;
    this.#openLength = 0;
    this.#put(REPLACEMENT, 1);
  }

  //  E2 82 AC
  //     ^       each byte either continues the character that is open, or replaces it by U+FFFD and begins anew
  #writeByte(byte: number): void {
    const open = this.#open;
    if (this.#openLength > 0) {
      const first = open[0] ?? 0;
      const isSecond = this.#openLength === 1;
      const low = !isSecond ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      const high = !isSecond ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      if (byte >= low && byte <= high) {
        open[this.#openLength++] = byte;
        const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (this.#openLength < size) return;
        let code = first & (0xff >> (size + 1));
        for (let at = 1; at < size; at++) code = (code << 6) | ((open[at] ?? 0) & 0x3f);
        this.#openLength = 0;
        this.#put(code, charWidth(code));
        return;
      }
      this.flush();
    }
    if (byte === 9) this.tab();
    else if (byte < 0x80) this.#put(byte, 1);
    else if (byte >= 0xc2 && byte <= 0xf4) open[this.#openLength++] = byte;
    else this.#put(REPLACEMENT, 1);
  }

  #put(code: number, columns: 0 | 1 | 2): void {
    if (columns === 0) {
      const at = this.#codes[this.#column - 1] === TAIL ? this.#column - 2 : this.#column - 1;
      const marks = this.#marks.get(at) ?? '';
      if (at >= 0 && marks.length < MAX_MARKS_PER_CELL) this.#marks.set(at, marks + String.fromCodePoint(code));
      return;
    }
    const width = this.#width;
    // A wide character that does not fit into the last column goes to the next screen row; the column stays out of the text.
    const isMargin = columns === 2 && width > 1 && this.#column % width === width - 1;
    if (this.#column + columns + 1 > MAX_ROW_COLUMNS) {
      this.isCut = true;
      return;
    }
    if (isMargin) this.#set(this.#column++, TAIL);
    this.#set(this.#column++, code);
    if (columns === 2) this.#set(this.#column++, TAIL);
    this.#isWrapping = width > 0 && this.#column % width === 0;
  }

  #set(column: number, code: number): void {
    this.#reserve(column + 1);
    this.#codes[column] = code;
    if (this.#marks.size > 0) this.#marks.delete(column);
    if (column >= this.#length) this.#length = column + 1;
  }

  #reserve(length: number): void {
    if (length <= this.#codes.length) return;
    const larger = new Uint32Array(Math.min(MAX_ROW_COLUMNS, Math.max(length, this.#codes.length * 2)));
    larger.set(this.#codes);
    this.#codes = larger;
  }

  /** First column of the screen row in which the cursor is. */
  #start(): number {
    if (this.#width === 0) return 0;
    const column = this.#isWrapping ? this.#column - 1 : this.#column;
    return column - (column % this.#width);
  }

  #end(): number {
    return this.#width === 0 ? Math.max(this.#length, UNKNOWN_WIDTH) : this.#start() + this.#width;
  }

  /** Screen rows above the cursor that belong to this row. */
  get rowsAbove(): number {
    return this.#width === 0 ? 0 : this.#start() / this.#width;
  }

  /** Screen rows below the cursor that belong to this row. */
  get rowsBelow(): number {
    if (this.#width === 0) return 0;
    return Math.max(0, Math.ceil(this.#length / this.#width) - 1 - this.rowsAbove);
  }

  /** Moves the cursor by screen rows (up is negative); the caller knows that they belong to this row. */
  moveRows(rows: number): void {
    this.#move(this.#column - (this.#isWrapping ? 1 : 0) + rows * this.#width);
  }

  return(): void {
    this.#move(this.#start());
  }

  moveTo(column: number): void {
    this.#move(Math.min(this.#start() + column, this.#end() - 1));
  }

  moveBy(columns: number): void {
    const from = this.#column - (this.#isWrapping ? 1 : 0);
    this.#move(Math.max(this.#start(), Math.min(from + columns, this.#end() - 1)));
  }

  tab(): void {
    const start = this.#start();
    this.moveTo((Math.floor((this.#column - start) / TAB_STOP) + 1) * TAB_STOP);
  }

  #move(column: number): void {
    this.#column = Math.max(0, Math.min(column, MAX_ROW_COLUMNS - 1));
    this.#isWrapping = false;
  }

  /** @param part  0: from the cursor on; 1: up to it; 2: all (of the screen row). */
  erase(part: number): void {
    const from = part === 0 ? this.#column : this.#start();
    const to = part === 1 ? this.#column + 1 : this.#end();
    this.#clear(from, to);
  }

  eraseChars(count: number): void {
    this.#clear(this.#column, Math.min(this.#column + count, this.#end()));
  }

  deleteChars(count: number): void {
    const end = Math.min(this.#end(), this.#length);
    if (this.#column >= end) return;
    const shift = Math.min(count, end - this.#column);
    this.#codes.copyWithin(this.#column, this.#column + shift, end);
    this.#marks.clear();
    this.#clear(end - shift, end);
  }

  insertChars(count: number): void {
    if (this.#column >= this.#length) return;
    const isLast = this.#width === 0 || this.#start() + this.#width >= this.#length;
    const end = Math.min(isLast ? this.#length + count : this.#end(), this.#end(), MAX_ROW_COLUMNS);
    const shift = Math.min(count, end - this.#column);
    this.#reserve(end);
    this.#codes.copyWithin(this.#column + shift, this.#column, end - shift);
    this.#codes.fill(0, this.#column, this.#column + shift);
    this.#marks.clear();
    if (end > this.#length) this.#length = end;
  }

  #clear(from: number, to: number): void {
    const end = Math.min(to, this.#length);
    if (from >= end) return;
    this.#codes.fill(0, from, end);
    for (const column of this.#marks.keys()) if (column >= from && column < end) this.#marks.delete(column);
    if (end < this.#length) return;
    this.#length = from;
    while (this.#length > 0 && this.#codes[this.#length - 1] === 0) this.#length--;
  }

  /** As new, and as wide. */
  clear(): void {
    this.#codes.fill(0, 0, this.#length);
    this.#length = 0;
    this.#column = 0;
    this.#isWrapping = false;
    this.isCut = false;
    if (this.#marks.size > 0) this.#marks.clear();
    this.#openLength = 0;
  }

  /** What a reader sees; untouched columns are blanks. */
  text(): string {
    const units = new Uint16Array(2 * this.#length + 1 + this.#countMarks());
    let length = 0;
    for (let column = 0; column < this.#length; column++) {
      const code = this.#codes[column] as number; // within bounds
      if (code > 0xffff && code !== TAIL) {
        units[length++] = 0xd7c0 + (code >> 10);
        units[length++] = 0xdc00 + (code & 0x3ff);
      } else if (code !== TAIL) units[length++] = code === 0 ? SPACE : code;
      if (this.#marks.size > 0) {
        const marks = this.#marks.get(column) ?? '';
        for (let at = 0; at < marks.length; at++) units[length++] = marks.charCodeAt(at);
      }
    }
    if (this.#openLength > 0) units[length++] = REPLACEMENT;
    // As the machine orders bytes: all that run Node begin with the low one.
    return Buffer.from(units.buffer).toString('utf16le', 0, 2 * length);
  }

  /** The same as bytes; null if one of its characters takes more than one, or nothing stands in the row. */
  ascii(): Buffer | null {
    const length = this.#length;
    if (length === 0 || this.isCut || this.#openLength > 0 || this.#marks.size > 0) return null;
    const bytes = Buffer.allocUnsafe(length);
    for (let column = 0; column < length; column++) {
      const code = this.#codes[column] as number; // within bounds
      if (code >= 0x80) return null;
      bytes[column] = code === 0 ? SPACE : code;
    }
    return bytes;
  }

  #countMarks(): number {
    let count = 0;
    for (const marks of this.#marks.values()) count += marks.length;
    return count;
  }
}

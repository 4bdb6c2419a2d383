/**
 * Row cells: one row as cells, a code point per column, after a program has moved the cursor in it.
 *
 * A row is *logical*: it ends at a line feed and may be wider than the terminal. With `width` columns it then covers
 * several screen rows. Returns, cursor movements and erasures stay within one screen row.
 *
 *     $ a command that is longer than the termin      screen row 0, columns 0 to 41
 *     al is wide▁                                     screen row 1, columns 42 to 83
 */
import { charWidth } from '../../protocol/index.js';
import { CUT, codeOf, isSecond, readCharacter, sizeOf, writeCharacter } from './utf8.js';

/** Maximum number of columns that are kept of a row. */
const MAX_ROW_COLUMNS = 64 * 1024;
/** Width of a terminal whose width is unknown: the widest that orchd hosts. */
const UNKNOWN_WIDTH = 1000;
const MAX_MARKS_PER_CELL = 8;
const TAB_STOP = 8;
const TAB = 9;
const SPACE = 32;
/** The second column of a wide character. */
const TAIL = 0xffffffff;
const REPLACEMENT = 0xfffd;
const MAX_UTF8_BYTES = 4;
/** Shared buffer for the bytes of a row. Only the longest rows need another one. */
const shown = Buffer.allocUnsafe(16 * 1024);

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
  /**
   * True if the last character filled its screen row. The next one wraps to the row below, but a carriage return stays
   * in this row.
   */
  #isWrapping = false;
  isCut = false;
  /** Combining characters by column. */
  readonly #marks: Map<number, string>;
  /** The highest column with a mark; -1 if there is none. */
  #lastMark = -1;
  /** The bytes of an incomplete UTF-8 character. */
  readonly #open = new Uint8Array(MAX_UTF8_BYTES);
  #openLength = 0;
  readonly #width: number;

  /** @param width  Columns of the terminal; 0 if unknown. */
  constructor(width: number, state?: RowCellsState) {
    this.#width = width;
    this.#marks = new Map(state?.marks);
    if (!state) return;
    for (const column of this.#marks.keys()) if (column > this.#lastMark) this.#lastMark = column;
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

  /** True if the row is empty and the cursor is at its beginning, as in a new row. */
  get isFresh(): boolean {
    return this.#length === 0 && this.#column === 0 && this.#openLength === 0 && !this.isCut;
  }

  get length(): number {
    return this.#length;
  }

  /** Prints UTF-8, cut anywhere; invalid bytes become U+FFFD. */
  write(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    while (at < end) {
      if (this.#isRunning(end - at)) at = this.#writeRun(bytes, at, end);
      if (at === end) return;
      const byte = bytes[at++] as number; // within bounds
      if (byte === TAB && this.#openLength === 0) this.tab();
      else this.#writeByte(byte);
    }
  }

  /**
   * True if the next text comes after all marks and has enough room: except for a TAB, no character has more columns
   * than bytes.
   */
  #isRunning(bytes: number): boolean {
    return this.#openLength === 0 && this.#column > this.#lastMark && this.#column + bytes < MAX_ROW_COLUMNS;
  }

  /**
   * Writes complete characters.
   * @returns The index of the first one that is a TAB or incomplete.
   */
  #writeRun(bytes: Uint8Array, start: number, end: number): number {
    const first = this.#column;
    const width = this.#width;
    this.#reserve(first + end - start);
    const codes = this.#codes;
    let column = first;
    let at = start;
    while (at < end) {
      const byte = bytes[at] as number; // within bounds
      if (byte < 0x80) {
        if (byte === TAB) break;
        codes[column++] = byte;
        at++;
        continue;
      }
      const character = readCharacter(bytes, at, end);
      if (character === CUT) break;
      const code = codeOf(character);
      const columns = charWidth(code);
      if (columns === 1) codes[column++] = code;
      else if (columns === 0) this.#mark(column, code);
      else {
        if (isMargin(column, width)) codes[column++] = TAIL;
        codes[column++] = code;
        codes[column++] = TAIL;
      }
      at += sizeOf(character);
    }
    if (column === first) return at;
    this.#column = column;
    if (column > this.#length) this.#length = column;
    this.#isWrapping = width > 0 && column % width === 0;
    return at;
  }

  /** Called when a control character or escape sequence follows an incomplete character. */
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
      if (this.#openLength === 1 ? isSecond(first, byte) : (byte & 0xc0) === 0x80) {
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
    if (byte === TAB) this.tab();
    else if (byte < 0x80) this.#put(byte, 1);
    else if (byte >= 0xc2 && byte <= 0xf4) open[this.#openLength++] = byte;
    else this.#put(REPLACEMENT, 1);
  }

  #put(code: number, columns: 0 | 1 | 2): void {
    if (columns === 0) {
      this.#mark(this.#column, code);
      return;
    }
    const width = this.#width;
    if (this.#column + columns + 1 > MAX_ROW_COLUMNS) {
      this.isCut = true;
      return;
    }
    if (columns === 2 && isMargin(this.#column, width)) this.#set(this.#column++, TAIL);
    this.#set(this.#column++, code);
    if (columns === 2) this.#set(this.#column++, TAIL);
    this.#isWrapping = width > 0 && this.#column % width === 0;
  }

  /** Adds a combining character to the character before a column. */
  #mark(column: number, code: number): void {
    const at = this.#codes[column - 1] === TAIL ? column - 2 : column - 1;
    if (at < 0) return;
    const marks = this.#marks.get(at) ?? '';
    if (marks.length < MAX_MARKS_PER_CELL) this.#marks.set(at, marks + String.fromCodePoint(code));
    if (at > this.#lastMark) this.#lastMark = at;
  }

  #clearMarks(): void {
    if (this.#lastMark < 0) return;
    this.#marks.clear();
    this.#lastMark = -1;
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

  /** Returns the first column of the screen row that contains the cursor. */
  #start(): number {
    if (this.#width === 0) return 0;
    const column = this.#isWrapping ? this.#column - 1 : this.#column;
    return column - (column % this.#width);
  }

  #end(): number {
    return this.#width === 0 ? Math.max(this.#length, UNKNOWN_WIDTH) : this.#start() + this.#width;
  }

  /** Column of the cursor in its screen row. */
  get screenColumn(): number {
    return this.#column - (this.#isWrapping ? 1 : 0) - this.#start();
  }

  /** Number of screen rows above the cursor that belong to this row. */
  get rowsAbove(): number {
    return this.#width === 0 ? 0 : this.#start() / this.#width;
  }

  /** Number of screen rows below the cursor that belong to this row. */
  get rowsBelow(): number {
    if (this.#width === 0) return 0;
    return Math.max(0, Math.ceil(this.#length / this.#width) - 1 - this.rowsAbove);
  }

  /** Moves the cursor by screen rows (up is negative). The caller limits `rows` by `rowsAbove` and `rowsBelow`. */
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

  /** @param part  The part of the screen row: 0: from the cursor on; 1: up to it; 2: all. */
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
    this.#clearMarks();
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
    this.#clearMarks();
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

  /** Makes the row equal to a new one of the same width. */
  clear(): void {
    this.#codes.fill(0, 0, this.#length);
    this.#length = 0;
    this.#column = 0;
    this.#isWrapping = false;
    this.isCut = false;
    this.#clearMarks();
    this.#openLength = 0;
  }

  /** The visible text as UTF-8; untouched columns are blanks. The buffer is valid until the next call on any row. */
  utf8(): Buffer {
    return this.#show(this.#length, this.#openLength > 0);
  }

  /** Like `utf8`, but only the first `columns` columns; null for all. */
  head(columns: number): Buffer | null {
    return this.#length > columns ? this.#show(columns, false) : null;
  }

  /** @param isCut  True if an incomplete character follows. */
  #show(columns: number, isCut: boolean): Buffer {
    const marks = this.#marks.size > 0 ? this.#marks : null;
    const limit = MAX_UTF8_BYTES * (columns + 1) + (marks ? MAX_UTF8_BYTES * this.#countMarks() : 0);
    const bytes = limit <= shown.length ? shown : Buffer.allocUnsafe(limit);
    let length = 0;
    for (let column = 0; column < columns; column++) {
      const code = this.#codes[column] as number; // within bounds
      if (code < 0x80) bytes[length++] = code === 0 ? SPACE : code;
      else if (code !== TAIL) length = writeCharacter(bytes, length, code);
      const mark = marks?.get(column);
      if (mark !== undefined) length += bytes.write(mark, length);
    }
    if (isCut) length = writeCharacter(bytes, length, REPLACEMENT);
    return bytes.subarray(0, length);
  }

  text(): string {
    return this.utf8().toString('utf8');
  }

  #countMarks(): number {
    let count = 0;
    for (const marks of this.#marks.values()) count += marks.length;
    return count;
  }
}

/**
 * True if a wide character does not fit into the last column. It goes to the next screen row, and the column is not
 * part of the text.
 */
const isMargin = (column: number, width: number): boolean => width > 1 && column % width === width - 1;

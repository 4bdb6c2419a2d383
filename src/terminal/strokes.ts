/**
 * Strokes: what full-screen programs paint most, read without an emulator.
 *
 *     ESC[5;1H ESC[2K ESC[31m ● ESC[0m words     one stroke: text, from a place on, within one row
 *
 * In:   bytes, beginning with `ESC[…H`; where the emulator's cursor stands and its screen's size.
 * Out:  strokes (`read`, `close`), and where the bytes go on with something else: what moves rows, wraps, combines, asks, …
 *
 * Understood are: text of characters that take one column or two; places; colours; erasing in the row; whether the cursor is shown, and
 * synchronized updates. All of it is exact: what a stroke does to its row depends on nothing but the row.
 */
export interface Stroke {
  readonly row: number;
  /** Where it begins. */
  readonly column: number;
  /** Sequences that bring a reset pen to what it is painted with. */
  readonly pen: string;
  /** Its bytes. */
  from: number;
  to: number;
  /** Columns that it has touched: up to, not with, `right`; none where `right` is not more. */
  left: number;
  right: number;
  /** Some columns between them it has passed over. */
  hasGaps: boolean;
  /** The row is as this leaves it, whatever stood there before. */
  isWhole: boolean;
  hasWide: boolean;
  /** Of its characters, whatever `kinds` says of them. */
  kinds: number;
}

/** Told before it happens; what came before is closed, and may be drawn. */
export interface StrokeSink {
  /** Whether `toRow` and `erases` are to be told. */
  readonly isWatching: boolean;
  /** The cursor goes to a row. @param at  Index of the sequence; in all of them. */
  toRow(row: number, at: number): void;
  erases(row: number, at: number): void;
  frames(isBegin: boolean, at: number): void;
  /** Text has been painted in a row. */
  printed(row: number): void;
}

/** 0: not to be understood. By code point, of the basic plane. */
export type Widths = Uint8Array;

/** Longer sequences are left to the emulator. */
const MAX_SEQUENCE_BYTES = 48;
/** Of the pen: places of sequences, and characters. */
const MAX_COLOURS = 16;
const MAX_PEN_CHARS = 400;
const ESC = 0x1b;
const WHOLE_ROW = 2;

export class StrokeReader {
  /** Up to where it has read; during a call of the sink, where the sequence begins. */
  at = 0;
  row = 0;
  column = 0;
  open: Stroke | null = null;
  /** The last that was said, as sequences: of the cursor, and of updates. */
  modes = ['', ''];
  /** What stopped `read` has not come whole; else it is something else. */
  isCut = false;
  readonly #cols: number;
  readonly #rows: number;
  readonly #widths: Widths;
  readonly #kinds: Uint8Array;
  readonly #onClose: (stroke: Stroke) => void;
  readonly #sink: StrokeSink | null;
  #bytes: Buffer = Buffer.alloc(0);
  /** As of the last `#settlePen`, and where the colours since begin and end. */
  #pen = '';
  readonly #colours: number[] = [];
  #coloursCount = 0;

  /** @param kinds  Bits of a code point of the basic plane, for who wants to know which characters are painted. */
  constructor(
    size: { readonly cols: number; readonly rows: number },
    tables: { readonly widths: Widths; readonly kinds: Uint8Array },
    onClose: (stroke: Stroke) => void,
    sink: StrokeSink | null,
  ) {
    this.#cols = size.cols;
    this.#rows = size.rows;
    this.#widths = tables.widths;
    this.#kinds = tables.kinds;
    this.#onClose = onClose;
    this.#sink = sink;
  }

  /** The pen is reset, and the cursor there. */
  begin(row: number, column: number): void {
    this.row = row;
    this.column = column;
    this.#pen = '';
    this.#coloursCount = 0;
    this.modes = ['', ''];
  }

  /** Reads on, up to `end`, or to what could not be read: `isCut` says what it is. */
  read(bytes: Buffer, end: number): void {
    this.#bytes = bytes;
    this.isCut = true;
    let { at } = this;
    while (at < end) {
      const next = bytes[at] === ESC ? this.#sequence(bytes, at, end) : this.#text(bytes, at, end);
      if (next === at) break;
      at = next;
    }
    this.#settlePen();
    this.at = at;
  }

  /** What has been painted up to here is a stroke. */
  close(at = this.at): void {
    this.at = at;
    const { open } = this;
    if (!open) return;
    open.to = at;
    this.open = null;
    this.#onClose(open);
  }

  #begin(at: number): Stroke {
    if (this.#coloursCount > 0) this.#settlePen();
    const { row, column } = this;
    // As one literal: it is made for every row of every picture.
    // biome-ignore format: as above
    const stroke = { row, column, pen: this.#pen, from: at, to: at, left: column, right: column, hasGaps: false, isWhole: false, hasWide: false, kinds: 0 };
    this.open = stroke;
    return stroke;
  }

  #odd(at: number): number {
    this.isCut = false;
    return at;
  }

  #text(bytes: Uint8Array, from: number, end: number): number {
    const before = this.open;
    const stroke = before ?? this.#begin(from);
    const kinds = this.#kinds;
    let at = from;
    let { column } = this;
    let seen = 0;
    let isOdd = false;
    while (at < end) {
      const byte = bytes[at] as number; // within bounds
      if (byte >= 0x20 && byte < 0x7f) {
        if (column === this.#cols) {
          isOdd = true;
          break;
        }
        seen |= kinds[byte] as number; // a table of all of them
        column++;
        at++;
        continue;
      }
      if (byte < 0x80) {
        isOdd = byte !== ESC;
        break;
      }
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      const code = size === 4 ? -1 : codeAt(bytes, at, size, end);
      if (code === 0) break;
      const width = code < 0 ? 0 : (this.#widths[code] as number);
      if (width === 0 || column + width > this.#cols) {
        isOdd = true;
        break;
      }
      if (width === 2) stroke.hasWide = true;
      seen |= kinds[code] as number;
      column += width;
      at += size;
    }
    if (at > from) {
      stroke.kinds |= seen;
      if (column > stroke.right) stroke.right = column;
      this.column = column;
      this.#sink?.printed(this.row);
    } else this.open = before; // going there again would part what combines from its character
    return isOdd ? this.#odd(at) : at;
  }

  //  ESC [ 5 ; 1 H     ESC [ ? 2026 h     ESC ( B
  #sequence(bytes: Uint8Array, at: number, end: number): number {
    if (at + 1 === end) return at;
    if (bytes[at + 1] !== 0x5b) {
      if (bytes[at + 1] !== 0x28) return this.#odd(at);
      if (at + 2 === end) return at;
      if (bytes[at + 2] !== 0x42) return this.#odd(at);
      this.open ??= this.#begin(at); // ASCII it is already; but what comes before is not what can be repeated
      return at + 3;
    }
    let next = at + 2;
    const isPrivate = bytes[next] === 0x3f;
    if (isPrivate) next++;
    let first = 0;
    let second = 0;
    let count = 0;
    let byte = 0;
    const limit = Math.min(end, at + MAX_SEQUENCE_BYTES);
    for (; next < limit; next++) {
      byte = bytes[next] as number; // within bounds
      if (byte >= 0x30 && byte <= 0x39) {
        if (count === 0) first = first * 10 + byte - 0x30;
        else second = second * 10 + byte - 0x30;
      } else if (byte === 0x3b) count++;
      else break;
    }
    if (next === limit) return limit === end ? at : this.#odd(at);
    next++;
    if (byte === 0x6d && !isPrivate) {
      this.open ??= this.#begin(at);
      if (count === 0 && first === 0) {
        this.#pen = '';
        this.#coloursCount = 0;
        return next;
      }
      if (this.#coloursCount === MAX_COLOURS) this.#settlePen();
      if (this.#pen.length > MAX_PEN_CHARS) return this.#odd(at);
      this.#colours[this.#coloursCount++] = at;
      this.#colours[this.#coloursCount++] = next;
      return next;
    }
    if (isPrivate) return count === 0 && this.#mode(first, byte, bytes, at, next) ? next : this.#odd(at);
    if (byte === 0x48 || byte === 0x66) {
      if (count > 1) return this.#odd(at);
      this.#place(Math.max(1, first) - 1, Math.max(1, second) - 1, at, next);
      return next;
    }
    if (byte === 0x64 && count === 0 && this.column < this.#cols) {
      // VPA
      this.#place(Math.max(1, first) - 1, this.column, at, next);
      return next;
    }
    // Behind the last column a wrap is pending, and other sequences undo that in ways of their own.
    if (count > 0 || this.column === this.#cols || !this.#inRow(byte, first, at)) return this.#odd(at);
    return next;
  }

  /** Makes the pen of the colours since the last reset. */
  #settlePen(): void {
    for (let index = 0; index < this.#coloursCount; index += 2) {
      this.#pen += this.#bytes.toString('latin1', this.#colours[index], this.#colours[index + 1]);
    }
    this.#coloursCount = 0;
  }

  #place(row: number, column: number, at: number, end: number): void {
    this.close(at);
    const to = Math.min(row, this.#rows - 1);
    if (this.#sink?.isWatching) this.#sink.toRow(to, at);
    this.row = to;
    this.column = Math.min(column, this.#cols - 1);
    this.#begin(end);
  }

  #mode(mode: number, final: number, bytes: Uint8Array, at: number, end: number): boolean {
    if ((mode !== 25 && mode !== 2026) || (final !== 0x68 && final !== 0x6c)) return false;
    if (mode === 2026 && this.#sink) {
      if (this.column === this.#cols) return false;
      this.close(at);
      this.#sink.frames(final === 0x68, at);
      this.#begin(at);
    } else this.open ??= this.#begin(at);
    this.modes[mode === 25 ? 0 : 1] = `\x1b[?${mode}${String.fromCharCode(bytes[end - 1] ?? 0)}`;
    return true;
  }

  /** @returns Whether it is understood. */
  #inRow(final: number, first: number, at: number): boolean {
    if (final === 0x4b) return this.#erase(first, at);
    if (final !== 0x47 && final !== 0x43 && final !== 0x58) return false;
    const stroke = this.open ?? this.#begin(at);
    if (final === 0x47)
      this.#moveTo(stroke, Math.max(1, first) - 1); // CHA
    else if (final === 0x43)
      this.#moveTo(stroke, this.column + Math.max(1, first)); // CUF
    else {
      // ECH
      stroke.hasGaps = true;
      stroke.right = Math.max(stroke.right, Math.min(this.#cols, this.column + Math.max(1, first)));
    }
    return true;
  }

  #moveTo(stroke: Stroke, column: number): void {
    this.column = Math.min(column, this.#cols - 1);
    stroke.hasGaps = true;
    stroke.left = Math.min(stroke.left, this.column);
  }

  #erase(part: number, at: number): boolean {
    if (part !== 0 && part !== WHOLE_ROW) return false;
    if (part === WHOLE_ROW && this.#sink?.isWatching) {
      this.close(at);
      this.#sink.erases(this.row, at);
    }
    const stroke = this.open ?? this.#begin(at);
    stroke.right = this.#cols;
    if (part === WHOLE_ROW || this.column === 0) {
      stroke.isWhole = true;
      stroke.kinds = 0;
      stroke.hasWide = false;
      stroke.left = 0;
    }
    return true;
  }
}

/** Of a character of two or three bytes; 0: they have not all come; -1: it is none, or a control. */
function codeAt(bytes: Uint8Array, at: number, size: number, end: number): number {
  const first = bytes[at] as number; // within bounds
  if (first < 0xc2) return -1;
  if (at + size > end) return 0;
  const second = bytes[at + 1] as number;
  if ((second & 0xc0) !== 0x80) return -1;
  if (size === 2) return ((first & 0x1f) << 6) | (second & 0x3f);
  const third = bytes[at + 2] as number;
  const code = ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
  return (third & 0xc0) !== 0x80 || code < 0x800 || (code >= 0xd800 && code < 0xe000) ? -1 : code;
}

/** Whether a sequence stands whole there that places the cursor: strokes may follow. */
export function isPlace(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== ESC || bytes[at + 1] !== 0x5b) return false;
  let end = at + 2;
  while (end < at + MAX_PLACE_BYTES && isParameter(bytes[end])) end++;
  return bytes[end] === 0x48 || bytes[end] === 0x66;
}

const MAX_PLACE_BYTES = 10;
const isParameter = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x3b;

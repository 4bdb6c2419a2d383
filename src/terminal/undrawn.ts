/**
 * Undrawn output: strokes that a terminal has not been given yet. Nobody looks at most pictures of a full-screen program, so most rows
 * are painted over before anybody could have seen them: those are never drawn.
 *
 * In:   the terminal's core; output (`take`), as far as it is strokes (strokes.ts).
 * Out:  the terminal as if it had been given every byte (`draw`).
 *
 *     kept      by row: strokes since all of them were drawn last, without those that others have covered
 *     recent    strokes since the last `keep`, each of them: `draw` can stop between the two. Without a sink there are none
 *
 * Positions of output are counted in bytes here; a sequence that is cut waits for its other bytes.
 */
import { type Stroke, StrokeReader, type StrokeSink } from './strokes.js';
import type { Core, Line } from './xterm-core.js';
import { GROUND } from './xterm-core.js';

export interface UndrawnOptions {
  readonly core: Core;
  /** Bits of each code point of the basic plane, for `kindsOf`. */
  readonly kinds?: Uint8Array;
  /** Asked before what it has to see; it may `draw`, or `keep`. */
  readonly sink?: StrokeSink;
}

/** What came is copied into this; with more than half of it alive, everything is drawn. */
const ARENA_BYTES = 128 * 1024;
const MAX_TAKEN_BYTES = ARENA_BYTES / 4;
/** Who takes less between two beginnings gains nothing: so many of them are let pass, twice as many each time. */
const MIN_TAKEN_BYTES = 512;
const MAX_PASSED = 64;
const PLANE = 0x10000;
const NO_KINDS = new Uint8Array(PLANE);
/** Of a cell with several code points nobody says what they are. */
export const UNKNOWN_KIND = 1;
const UNREAD = -1;
const CELL = 3;
const CODE_POINT = 0x1fffff;
const IS_COMBINED = 0x200000;
const WIDTH_SHIFT = 22;
const FIRST_PRINTABLE = 0xa0;
const BYTE_ORDER_MARK = 0xfeff;

const NO_ARENA = Buffer.alloc(0);
/** Of those that are not active; one more than were active at once. */
const arenas: Buffer[] = [];

interface Row {
  readonly strokes: Stroke[];
  /** With the strokes; of the terminal's where there are none. */
  hasWide: boolean;
  /** The terminal's goes on from the row above: only a stroke that erases it whole says that it does not. */
  readonly isWrapped: boolean;
}

export interface Taken {
  /** Index of the first byte that it has not taken. */
  readonly end: number;
  /** There begins something else. */
  readonly isOdd: boolean;
}

export class Undrawn {
  readonly #core: Core;
  readonly #reader: StrokeReader;
  readonly #kinds: Uint8Array;
  readonly #hasSink: boolean;
  #isActive = false;
  /** Bytes since it began; beginnings that are to be let pass, and how many they were last time. */
  #taken = 0;
  #toPass = 0;
  #passed = 0;
  /** While it is active. */
  #arena: Buffer = NO_ARENA;
  /** Up to where the arena is filled; the reader says up to where it is read. */
  #end = 0;
  /** Where the bytes that are being taken begin in the arena. */
  #base = 0;
  readonly #rows: (Row | null)[];
  /** Closed last. */
  #newest: Stroke | null = null;
  /** The bytes of recent strokes go from the first one's to what is read, without a gap; `#recent` are those that paint. */
  #firstRecent: Stroke | null = null;
  #recent: Stroke[] = [];
  /** By row, with all strokes. */
  readonly #rowKinds: Int32Array;
  /** Modes as they were before the recent strokes. */
  #modes = '';

  constructor({ core, kinds = NO_KINDS, sink }: UndrawnOptions) {
    this.#core = core;
    this.#kinds = kinds;
    this.#hasSink = sink !== undefined;
    const { cols, rows } = core._bufferService;
    const tables = { widths: widthsOf(core), kinds };
    this.#reader = new StrokeReader({ cols, rows }, tables, (stroke) => this.#add(stroke), sink ?? null);
    this.#rows = new Array<Row | null>(rows).fill(null);
    this.#rowKinds = new Int32Array(rows).fill(UNREAD);
  }

  /** It takes output; else that is the terminal's. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** The row of the cursor, from 0; while it is active. */
  get row(): number {
    return this.#reader.row;
  }

  /** Bytes of a sequence that has not come whole. */
  get waiting(): number {
    return this.#end - this.#reader.at;
  }

  /** Where in the bytes that are being taken an index stands that the sink is given; negative for what has waited. */
  indexOf(at: number): number {
    return at - this.#base;
  }

  /** Those bytes. */
  waited(): Buffer {
    return Buffer.from(this.#arena.subarray(this.#reader.at, this.#end));
  }

  /** Begins, if the terminal is in a state to begin from. */
  begin(): boolean {
    const { _inputHandler: input, _bufferService: service, coreService, _charsetService: charsets } = this.#core;
    const { fg, bg, extended } = input._curAttrData;
    const { urlId, underlineStyle, underlineColor } = extended;
    // A restored cursor brings back the colours of its pen, and leaves of an underline what the next one takes over.
    const isReset = fg === 0 && bg === 0 && urlId === 0 && underlineStyle === 0 && underlineColor === 0;
    const isAscii = charsets.glevel === 0 && !charsets._charsets[0];
    const isPlain =
      !coreService.modes.insertMode && !coreService.decPrivateModes.origin && service.buffer.x < service.cols;
    if (this.#toPass > 0) {
      this.#toPass--;
      return false;
    }
    this.#isActive = isReset && isAscii && isPlain && input._parser.currentState === GROUND;
    if (!this.#isActive) return false;
    this.#arena = arenas.pop() ?? Buffer.allocUnsafeSlow(ARENA_BYTES);
    this.#taken = 0;
    this.#reader.at = 0;
    this.#end = 0;
    this.#modes = '';
    this.#reader.begin(service.buffer.y, service.buffer.x);
    return true;
  }

  take(bytes: Uint8Array, from: number, to: number): Taken {
    for (let at = from; at < to; ) {
      const count = Math.min(to - at, MAX_TAKEN_BYTES);
      if (this.#end + count > ARENA_BYTES) this.#makeRoom();
      this.#base = this.#end - at;
      this.#arena.set(bytes.subarray(at, at + count), this.#end);
      this.#end += count;
      // Behind the last column, with nothing open, only the terminal knows how it goes on.
      this.#taken += count;
      const isPending = this.#reader.open === null && this.#reader.column === this.#core._bufferService.cols;
      if (!isPending) this.#reader.read(this.#arena, this.#end);
      if (isPending || (this.#reader.at < this.#end && !this.#reader.isCut)) {
        return { end: Math.max(from, this.#reader.at - this.#base), isOdd: true };
      }
      at += count;
    }
    return { end: to, isOdd: false };
  }

  /** Draws everything, and is not active any more. @returns What has waited, and is the terminal's now: before byte `index`. */
  leave(index = Number.POSITIVE_INFINITY): Buffer {
    this.draw();
    this.#isActive = false;
    const end = Math.min(this.#end, this.#base + index);
    const waited = Buffer.from(this.#arena.subarray(this.#reader.at, Math.max(this.#reader.at, end)));
    this.#end = 0;
    this.#reader.at = 0;
    this.#toPass = this.#taken < MIN_TAKEN_BYTES ? Math.min(MAX_PASSED, 2 * this.#passed + 1) : 0;
    this.#passed = this.#toPass;
    arenas.push(this.#arena);
    this.#arena = NO_ARENA;
    return waited;
  }

  /** Whether one of the rows that recent strokes have touched, up to here, has characters of such kinds. */
  hasRecent(isSuch: (kinds: number) => boolean): boolean {
    this.#reader.close();
    for (const { row } of this.#recent) if (isSuch(this.#rowKinds[row] ?? UNKNOWN_KIND)) return true;
    return false;
  }

  /** What is recent is kept. */
  keep(): void {
    this.#reader.close();
    for (const stroke of this.#recent) this.#fold(stroke);
    this.#recent = [];
    this.#firstRecent = null;
    this.#modes = this.#reader.modes.join('');
  }

  /** @param between  Called when what was kept is drawn, and nothing else. */
  draw(between?: () => void): void {
    this.#reader.close();
    const first = this.#firstRecent;
    this.#drawKept(first === null);
    between?.();
    if (first) this.#write([prefix(first), this.#arena.subarray(first.from, this.#reader.at)]);
    this.#rows.fill(null);
    this.#rowKinds.fill(UNREAD);
    this.#newest = null;
    this.#recent.length = 0;
    this.#firstRecent = null;
    this.#modes = '';
    this.#reader.modes = ['', ''];
  }

  #drawKept(isLast: boolean): void {
    const parts: (Buffer | string)[] = [];
    const put = (stroke: Stroke): void => {
      parts.push(prefix(stroke), this.#arena.subarray(stroke.from, stroke.to));
    };
    const newest = isLast ? this.#newest : null;
    for (const row of this.#rows) for (const stroke of row?.strokes ?? []) if (stroke !== newest) put(stroke);
    parts.push(this.#hasSink ? this.#modes : this.#reader.modes.join(''));
    if (newest) put(newest);
    this.#write(parts);
  }

  #write(parts: readonly (Buffer | string)[]): void {
    const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
    if (bytes.length > 0) this.#core._inputHandler.parse(bytes);
  }

  // ── strokes ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  #add(stroke: Stroke): void {
    this.#newest = stroke;
    const { row } = stroke;
    const paints = stroke.right > stroke.left || stroke.isWhole;
    if (!this.#hasSink) {
      if (paints) this.#fold(stroke);
      return;
    }
    this.#firstRecent ??= stroke;
    if (!paints) return;
    this.#recent.push(stroke);
    const before = this.#rowKinds[row] ?? UNREAD;
    if (stroke.isWhole) this.#rowKinds[row] = stroke.kinds;
    else this.#rowKinds[row] = stroke.kinds | (before === UNREAD ? this.#kindsOf(this.#lineAt(row)) : before);
  }

  /** Puts it over the others of its row; those that it covers are gone. */
  #fold(stroke: Stroke): void {
    const { left, right, isWhole, hasWide, hasGaps } = stroke;
    this.#rows[stroke.row] ??= rowOf(this.#lineAt(stroke.row));
    const row = this.#rows[stroke.row] as Row;
    const { strokes } = row;
    const isFull = left === 0 && right === this.#core._bufferService.cols && !hasGaps;
    if (isWhole || (isFull && !row.isWrapped)) {
      while (strokes.length > 0) strokes.pop();
      row.hasWide = hasWide;
    } else if (!row.hasWide && !hasWide && !hasGaps) {
      // Half a wide character is more than what was painted over it: only without them a stroke leaves nothing of those below.
      while (isCovered(strokes.at(-1), stroke) && !(row.isWrapped && strokes.at(-1)?.isWhole)) strokes.pop();
    }
    row.hasWide ||= hasWide;
    strokes.push(stroke);
  }

  #lineAt(row: number): Line | undefined {
    const { buffer } = this.#core._bufferService;
    return buffer.lines.get(buffer.ybase + row);
  }

  #kindsOf(line: Line | undefined): number {
    let kinds = 0;
    if (!line) return UNKNOWN_KIND;
    for (let at = 0; at < line._data.length; at += CELL) {
      const content = line._data[at] as number; // within bounds
      if ((content & IS_COMBINED) !== 0) kinds |= UNKNOWN_KIND;
      else kinds |= this.#kinds[content & CODE_POINT] ?? 0;
    }
    return kinds;
  }

  // ── the arena ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Moves what is alive to the beginning of another arena; with much of it, draws it. */
  #makeRoom(): void {
    let alive = this.#end - this.#restFrom();
    for (const row of this.#rows) for (const { from, to } of row?.strokes ?? []) alive += to - from;
    if (alive > ARENA_BYTES / 2) this.draw();
    const arena = this.#arena;
    const next = arenas.pop() ?? Buffer.allocUnsafeSlow(ARENA_BYTES);
    let end = 0;
    const move = (stroke: Stroke): void => {
      arena.copy(next, end, stroke.from, stroke.to);
      stroke.to += end - stroke.from;
      stroke.from = end;
      end = stroke.to;
    };
    const restFrom = this.#restFrom();
    const newest = this.#newest;
    const isRest = newest !== null && newest.from >= restFrom;
    let isMoved = newest === null || isRest;
    for (const row of this.#rows) {
      for (const stroke of row?.strokes ?? []) {
        move(stroke);
        isMoved ||= stroke === newest;
      }
    }
    if (newest && !isMoved) move(newest);
    const by = end - restFrom;
    arena.copy(next, end, restFrom, this.#end);
    const rest = new Set([...this.#recent, this.#firstRecent, this.#reader.open, isRest ? newest : null]);
    for (const stroke of rest) {
      if (!stroke) continue;
      stroke.from += by;
      stroke.to += by;
    }
    this.#reader.at += by;
    this.#end += by;
    this.#arena = next;
    arenas.push(arena);
  }

  /** Where the bytes begin that are needed without a gap. */
  #restFrom(): number {
    return this.#firstRecent?.from ?? this.#reader.open?.from ?? this.#reader.at;
  }
}

/** Brings a terminal to where a stroke begins, with its pen. */
const prefix = ({ row, column, pen }: Stroke): string => `\x1b[0m${pen}\x1b[${row + 1};${column + 1}H`;

const isCovered = (under: Stroke | undefined, over: Stroke): boolean =>
  under !== undefined && under.left >= over.left && under.right <= over.right;

function rowOf(line: Line | undefined): Row {
  const { isWrapped = true, _data: cells = new Uint32Array(1) } = line ?? {};
  let hasWide = false;
  for (let at = 0; at < cells.length; at += CELL) if ((cells[at] as number) >>> WIDTH_SHIFT !== 1) hasWide = true; // within bounds
  return { strokes: [], hasWide, isWrapped };
}

let widths: Uint8Array | null = null;

/** Columns of each character that takes one or two; 0 of the others. Of every terminal the same: all count by the same tables. */
function widthsOf({ unicodeService }: Core): Uint8Array {
  widths ??= Uint8Array.from({ length: PLANE }, (_, code) =>
    code < FIRST_PRINTABLE || code === BYTE_ORDER_MARK ? 0 : unicodeService.wcwidth(code),
  );
  return widths;
}

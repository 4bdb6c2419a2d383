/**
 * Row reader: a terminal's output as rows of text, as far as it *prints lines*; what it paints is somebody else's.
 *
 * In:   bytes, cut anywhere, with their journal position (`push`).
 * Out:  through the sink, in order: finished rows, and marks where documents end.
 *
 * No emulator: it knows one row, the one that grows. A line feed finishes it. Whose row it is:
 *
 *     lines       rows that are finished by a line feed and that no cursor-up or absolute move touched. Edits within the row (returns,
 *                 backspaces, erasures) are carried out, so progress bars and line editors show what a reader sees.
 *                 One row up (npm, spinners): the rows that are touched so are nobody's lines, the rows after them are.
 *     screen      from the first real repaint (two or more rows up, an absolute move, a scroll region, …)
 *                 to the next OSC 133 prompt, the end of the alternate screen, or LINEAR_ROWS rows in a row without one
 *                 (rows of a synchronized update are a frame and do not count).
 *     alternate   the alternate screen.
 *
 * Rows without control characters are handed on as bytes, unread: `plainRow` decides whether anybody needs them as text. A row keeps at
 * most MAX_ROW_BYTES, a longer one is cut and says so.
 */
import { EscapeReader, type EscapeState } from './escape-reader.js';
import { RowCells, type RowCellsState } from './row-cells.js';

export interface RowPlace {
  /** Journal position of its first byte. */
  readonly from: number;
  /** Journal position after its last byte, the line feed included. */
  readonly to: number;
  /** From 1. */
  readonly line: number;
}

export interface RowSink {
  /** A row of plain text, as UTF-8; the bytes are borrowed until this returns. */
  plainRow(bytes: Buffer, start: number, end: number, from: number, to: number, line: number): void;
  row(text: string, place: RowPlace, isCut: boolean): void;
  /**
   * `prompt`, `alternate`, `main`: a document ends here; called before the reader goes on, so that `takePartial` still gives the row
   * that has begun. `painting`: the program paints from here on.
   */
  mark(mark: 'prompt' | 'alternate' | 'main' | 'painting'): void;
  /** While `isWatching`: what is printed, and that the cursor jumped back. */
  readonly isWatching: boolean;
  printed(bytes: Uint8Array, start: number, end: number): void;
  moved(): void;
}

/** What is kept of a row for matching: longer lines are data, not messages. */
export const MAX_ROW_BYTES = 64 * 1024;
/** Rows without painting after which a program is taken to print lines again. */
export const LINEAR_ROWS = 50;
/** Rows up that are a repaint. One row up is what spinners and npm do, and shells must not become deaf by it. */
const REPAINT_ROWS = 2;
const MAX_BLANKS = 1000;

const LF = 10;
const CR = 13;
/** 1 for bytes that are text: everything but control characters, TAB among it. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 9 || (byte >= 32 && byte !== 127) ? 1 : 0));

export interface RowReaderState {
  mode: 'lines' | 'screen' | 'alternate';
  cols: number;
  line: number;
  from: number;
  bytes: string;
  isCut: boolean;
  isReturned: boolean;
  hasJumped: boolean;
  isIgnored: boolean;
  isTouched: boolean;
  depth: number;
  linear: number;
  isPainted: boolean;
  isFramed: boolean;
  cells: RowCellsState | null;
  escape: EscapeState;
}

export class RowReader {
  readonly #sink: RowSink;
  readonly #escape: EscapeReader;
  #mode: RowReaderState['mode'] = 'lines';
  #cols: number;
  #line = 1;
  /** Journal position of the row's first byte; -1 while it is empty. */
  #from = -1;
  #bytes = Buffer.alloc(256);
  #length = 0;
  #isCut = false;
  /** A carriage return came last: with a line feed it ends the row, with anything else the row is edited. */
  #isReturned = false;
  /** The same for who watches what is printed, in every mode: a return that no line feed follows is a jump. */
  #hasJumped = false;
  /** What comes up to the next line feed is nobody's. */
  #isIgnored = false;
  /** Rows that the cursor stands above the lowest one. */
  #depth = 0;
  /** The lowest row held something when the cursor left it upwards. */
  #isTouched = false;
  #linear = 0;
  #isPainted = false;
  /** Inside a synchronized update: its rows are a frame, however many they are. */
  #isFramed = false;
  #cells: RowCells | null = null;
  /** Position of the byte at index 0 of what is being read. */
  #base = 0;

  constructor(sink: RowSink, state?: RowReaderState) {
    this.#sink = sink;
    this.#escape = new EscapeReader(
      {
        escape: (final) => this.#onEscape(final),
        control: (final, mark, parameters) => this.#onControl(final, mark, parameters),
        command: (payload) => this.#onCommand(payload),
        single: (code, index) => this.#onSingle(code, index),
      },
      state?.escape,
    );
    this.#cols = state?.cols ?? 0;
    if (!state) return;
    this.#mode = state.mode;
    this.#line = state.line;
    this.#from = state.from;
    this.#append(Buffer.from(state.bytes, 'base64'), 0);
    this.#isCut = state.isCut;
    this.#isReturned = state.isReturned;
    this.#hasJumped = state.hasJumped;
    this.#isIgnored = state.isIgnored;
    this.#depth = state.depth;
    this.#isTouched = state.isTouched;
    this.#linear = state.linear;
    this.#isPainted = state.isPainted;
    this.#isFramed = state.isFramed;
    this.#cells = state.cells && new RowCells(this.#cols, state.cells);
  }

  state(): RowReaderState {
    return {
      mode: this.#mode,
      cols: this.#cols,
      line: this.#line,
      from: this.#from,
      bytes: this.#bytes.toString('base64', 0, this.#length),
      isCut: this.#isCut,
      isReturned: this.#isReturned,
      hasJumped: this.#hasJumped,
      isIgnored: this.#isIgnored,
      isTouched: this.#isTouched,
      depth: this.#depth,
      linear: this.#linear,
      isPainted: this.#isPainted,
      isFramed: this.#isFramed,
      cells: this.#cells?.state() ?? null,
      escape: this.#escape.state(),
    };
  }

  /** Columns of the terminal; 0 if nobody knows: then rows are as wide as they are long. */
  resize(cols: number): void {
    if (cols === this.#cols) return;
    this.#cols = cols;
    if (this.#cells) this.#cells = new RowCells(cols, this.#cells.state());
  }

  /** During a mark: the journal position after the sequence that made it. */
  get position(): number {
    return this.#base + this.#escape.index + 1;
  }

  /** No row has begun and no sequence is open. */
  isAtRest(): boolean {
    return this.#isEmpty() && !this.#isReturned && !this.#escape.isOpen;
  }

  /** Reads output. `position` is the journal position of its first byte. */
  push(output: Uint8Array, position: number): void {
    this.#base = position;
    const bytes = Buffer.isBuffer(output) ? output : Buffer.from(output.buffer, output.byteOffset, output.byteLength);
    let at = this.#escape.isOpen ? this.#escape.read(bytes, 0) : 0;
    while (at < bytes.length) {
      const start = at;
      while (at < bytes.length && PLAIN[bytes[at] as number] === 1) at++; // within bounds
      if (at > start) {
        if (this.#sink.isWatching) {
          if (this.#hasJumped) this.#sink.moved();
          this.#sink.printed(bytes, start, at);
        }
        this.#hasJumped = false;
        if (this.#isFresh() && at < bytes.length && at - start <= MAX_ROW_BYTES) {
          const end = bytes[at] === LF ? at + 1 : bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : 0;
          if (end > 0) {
            this.#sink.plainRow(bytes, start, at, position + start, position + end, this.#line++);
            at = end;
            continue;
          }
        }
        this.#print(bytes, start, at);
        if (at === bytes.length) return;
      }
      const byte = bytes[at] as number; // within bounds
      if (byte === 0x1b) {
        const end = colourEnd(bytes, at);
        if (end === 0) {
          this.#escape.begin();
          at = this.#escape.read(bytes, at + 1);
        } else at = end;
      } else this.#onSingle(byte, at++);
    }
  }

  /** The row that has begun, as it stands; null if there is none that is a line. */
  partial(): { text: string; place: RowPlace; isCut: boolean } | null {
    if (this.#mode !== 'lines' || this.#depth > 0 || this.#isIgnored || this.#isEmpty()) return null;
    const place = { from: this.#from, to: this.#from, line: this.#line };
    return { text: this.#text(), place, isCut: this.#isCut || (this.#cells?.isCut ?? false) };
  }

  /** As `partial` for a row of plain text up to so many bytes; cheap enough for every record. */
  shortPartial(maxBytes: number): string | null {
    if (this.#length > maxBytes || (this.#cells?.length ?? 0) > maxBytes) return null;
    return this.partial()?.text ?? null;
  }

  /** Finishes the row that has begun, as if a line feed stood at `to`; what follows up to the real one is ignored. */
  takePartial(to: number): { text: string; place: RowPlace; isCut: boolean } | null {
    const partial = this.partial();
    if (this.#mode === 'lines' && this.#depth === 0 && !this.#isEmpty()) {
      this.#clear();
      this.#isIgnored = true;
    }
    return partial && { ...partial, place: { ...partial.place, to } };
  }

  #isEmpty(): boolean {
    return this.#length === 0 && this.#cells === null;
  }

  #isFresh(): boolean {
    return this.#mode === 'lines' && this.#from === -1 && !this.#isIgnored && this.#depth === 0 && !this.#isReturned;
  }

  #clear(): void {
    this.#length = 0;
    this.#from = -1;
    this.#cells = null;
    this.#isCut = false;
    this.#isReturned = false;
  }

  #isDiscarding(): boolean {
    return this.#mode !== 'lines' || this.#isIgnored || this.#depth > 0;
  }

  #print(bytes: Uint8Array, start: number, end: number): void {
    if (this.#isDiscarding()) return;
    if (this.#from === -1) this.#from = this.#base + start;
    if (this.#isReturned) this.#edit(start).write(bytes, start, end);
    else if (this.#cells) this.#cells.write(bytes, start, end);
    else this.#append(bytes.subarray(start, end), 0);
  }

  #append(bytes: Uint8Array, blanks: number): void {
    const room = MAX_ROW_BYTES - this.#length;
    const count = Math.min(bytes.length + blanks, room);
    if (count < bytes.length + blanks) this.#isCut = true;
    if (this.#length + count > this.#bytes.length) {
      const larger = Buffer.alloc(Math.min(MAX_ROW_BYTES, Math.max(this.#bytes.length * 2, this.#length + count)));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    if (blanks > 0) this.#bytes.fill(32, this.#length, this.#length + count);
    else this.#bytes.set(count === bytes.length ? bytes : bytes.subarray(0, count), this.#length);
    this.#length += count;
  }

  /** The row as cells, to be edited; the cursor stands where it is. */
  #edit(index: number): RowCells {
    if (this.#from === -1) this.#from = this.#base + index;
    if (!this.#cells) {
      this.#cells = new RowCells(this.#cols);
      this.#cells.write(this.#bytes, 0, this.#length);
      this.#cells.isCut ||= this.#isCut;
      this.#length = 0;
    }
    this.#cells.flush();
    if (this.#isReturned) this.#cells.return();
    this.#isReturned = false;
    return this.#cells;
  }

  #text(): string {
    if (this.#cells) return this.#cells.text();
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  // ── control characters and sequences ───────────────────────────────────────────────────────────────────────────────────────

  #onSingle(code: number, index: number): void {
    if (code === LF || code === 11 || code === 12) this.#lineFeed(index);
    else if (code === CR) {
      this.#hasJumped = true;
      if (!this.#isEmpty() && !this.#isDiscarding()) this.#isReturned = true;
    } else if (code === 8) this.#move(-1, index);
    else if (code === 9 && !this.#isDiscarding()) this.#edit(index).tab(); // inside a sequence; elsewhere it is text
  }

  #lineFeed(index: number): void {
    const line = this.#line++;
    this.#hasJumped = false;
    if (this.#mode === 'screen') {
      this.#isPainted = false;
      this.#linear = this.#isFramed ? 0 : this.#linear + 1;
      if (this.#linear === LINEAR_ROWS) this.#toLines(false);
      return;
    }
    if (this.#mode === 'alternate') return;
    if (this.#depth > 0) {
      //  row          ESC[A went up from here …
      //  lowest row   … and this line feed comes back: what it held is touched
      this.#descend(1);
      return;
    }
    if (!this.#isIgnored) {
      const to = this.#base + index + 1;
      const from = this.#from === -1 ? to - 1 : this.#from;
      if (this.#cells || this.#isCut || this.#length === 0) {
        this.#sink.row(this.#text(), { from, to, line }, this.#isCut || (this.#cells?.isCut ?? false));
      } else this.#sink.plainRow(this.#bytes, 0, this.#length, from, to, line);
    }
    this.#clear();
    this.#isIgnored = false;
  }

  #onEscape(final: number): void {
    switch (String.fromCharCode(final)) {
      case 'D': // IND
      case 'E': // NEL
        this.#lineFeed(this.#escape.index);
        return;
      case 'M': // RI
        this.#up(1);
        return;
      case '8': // DECRC
        this.#paint();
        return;
      case 'c': // RIS: an empty screen, from the top
        this.#switchScreen('main');
        this.#toLines(false);
    }
  }

  #onControl(final: number, mark: string, parameters: readonly number[]): void {
    const letter = String.fromCharCode(final);
    if (mark === '?') {
      const isScreen = parameters.some((mode) => mode === 1049 || mode === 1047 || mode === 47);
      if (isScreen && letter === 'h') this.#switchScreen('alternate');
      else if (isScreen && letter === 'l') this.#switchScreen('main');
      if (parameters.includes(2026) && (letter === 'h' || letter === 'l')) this.#isFramed = letter === 'h';
    }
    if (mark !== '') return;
    const first = parameters[0] ?? -1;
    const count = Math.max(1, first);
    switch (letter) {
      case 'A': // CUU
      case 'F': // CPL
        this.#up(count);
        return;
      case 'B': // CUD
      case 'E': // CNL
      case 'e': // VPR
        this.#down(count);
        return;
      case 'C': // CUF
      case 'a': // HPR
        this.#forward(count);
        return;
      case 'D': // CUB
        this.#move(-count, this.#escape.index);
        return;
      case 'G': // CHA
      case '`': // HPA
        if (this.#sink.isWatching) this.#sink.moved();
        if (!this.#isDiscarding()) this.#edit(this.#escape.index).moveTo(count - 1);
        break;
      case 'K': // EL
        this.#erase(Math.max(0, first));
        break;
      case 'J': // ED: below the row there is nothing
        if (first <= 0) this.#erase(0);
        else if (first !== 3) this.#paint();
        break;
      case 'P': // DCH
        if (!this.#isDiscarding()) this.#edit(this.#escape.index).deleteChars(count);
        break;
      case '@': // ICH
        if (!this.#isDiscarding()) this.#edit(this.#escape.index).insertChars(count);
        break;
      case 'X': // ECH
        if (!this.#isDiscarding()) this.#edit(this.#escape.index).eraseChars(count);
        break;
      case 'u': // restores the cursor; with parameters it is something else
        if (first === -1) this.#paint();
        break;
      case 'H': // CUP
      case 'f': // HVP
      case 'd': // VPA
      case 'r': // DECSTBM
      case 'S': // SU
      case 'T': // SD
      case 'L': // IL
      case 'M': // DL
        this.#paint();
        break;
      default:
        return; // colours, modes, queries
    }
    if (this.#cells?.isFresh) this.#clear();
  }

  #onCommand(payload: string): void {
    // In a frame it is an agent's own screen that marks what the person said (pi does), not a shell that prompts.
    if (!/^133;[ACD]/.test(payload) || this.#mode === 'alternate' || this.#isFramed) return;
    this.#sink.mark('prompt');
    if (this.#mode === 'screen') this.#toLines(this.#isPainted);
  }

  // ── moves ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  #forward(count: number): void {
    if (this.#isDiscarding()) return;
    if (this.#cells || this.#isReturned || this.#cols > 0) this.#edit(this.#escape.index).moveBy(count);
    else {
      if (this.#from === -1) this.#from = this.#base + this.#escape.index;
      this.#append(new Uint8Array(0), Math.min(count, MAX_BLANKS));
    }
  }

  #move(columns: number, index: number): void {
    if (this.#sink.isWatching) this.#sink.moved();
    if (!this.#isDiscarding() && !this.#isEmpty()) this.#edit(index).moveBy(columns);
  }

  #erase(part: number): void {
    if (this.#isDiscarding() || part > 2) return;
    // At the end of what was printed there is nothing to erase, and many programs do it after each colour.
    if (part === 0 && !this.#cells && !this.#isReturned) return;
    if (!this.#isEmpty()) this.#edit(this.#escape.index).erase(part);
  }

  #up(count: number): void {
    if (this.#sink.isWatching) this.#sink.moved();
    if (this.#mode !== 'lines') {
      this.#paint();
      return;
    }
    let rows = count;
    if (this.#depth === 0) {
      if (!this.#isIgnored && !this.#isEmpty()) {
        //  a row that is wider than the terminal: its own upper screen rows are still the row
        const cells = this.#edit(this.#escape.index);
        if (rows <= cells.rowsAbove) {
          cells.moveRows(-rows);
          return;
        }
        rows -= cells.rowsAbove;
      }
      this.#isTouched = this.#isIgnored || !this.#isEmpty();
      this.#clear();
    }
    this.#depth += rows;
    if (this.#depth >= REPAINT_ROWS) this.#paint();
  }

  #down(count: number): void {
    if (this.#mode !== 'lines') {
      this.#paint();
      return;
    }
    if (this.#depth >= count) this.#descend(count);
    else if (this.#depth === 0 && this.#cells && count <= this.#cells.rowsBelow) this.#cells.moveRows(count);
    else this.#paint();
  }

  #descend(rows: number): void {
    this.#depth -= rows;
    if (this.#depth > 0) return;
    this.#isIgnored = this.#isTouched;
    this.#isTouched = false;
  }

  #paint(): void {
    if (this.#sink.isWatching) this.#sink.moved();
    if (this.#mode === 'alternate') return;
    this.#linear = 0;
    this.#isPainted = true;
    if (this.#mode === 'screen') return;
    this.#mode = 'screen';
    this.#depth = 0;
    this.#clear();
    this.#isIgnored = false;
    this.#sink.mark('painting');
  }

  #toLines(isRowPainted: boolean): void {
    this.#mode = 'lines';
    this.#clear();
    this.#depth = 0;
    this.#linear = 0;
    this.#isPainted = false;
    this.#isIgnored = isRowPainted;
  }

  #switchScreen(to: 'alternate' | 'main'): void {
    if ((this.#mode === 'alternate') === (to === 'alternate')) return;
    if (this.#sink.isWatching) this.#sink.moved();
    this.#sink.mark(to);
    if (to === 'alternate') {
      this.#clear();
      this.#mode = 'alternate';
      this.#depth = 0;
    } else this.#toLines(this.#isIgnored);
  }
}

/**
 * Colours are half of all sequences and mean nothing here: `ESC [ 1 ; 32 m`, and `ESC ( B`, which stands beside them.
 *
 * @returns The index after the sequence at `at`; 0 if it is another one, or cut.
 */
function colourEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] === 0x28) return bytes[at + 2] === 0x42 ? at + 3 : 0;
  if (bytes[at + 1] !== 0x5b) return 0;
  let end = at + 2;
  while (end < bytes.length && (bytes[end] as number) >= 0x30 && (bytes[end] as number) <= 0x3b) end++; // within bounds
  return bytes[end] === 0x6d ? end + 1 : 0;
}

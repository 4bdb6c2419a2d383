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
 * Rows without control characters are handed on as bytes, unread: `plainRow` decides whether anybody needs them as text. While nothing can
 * be heard in most rows (`openRows`), many of them are passed over at once. A row keeps at
 * most MAX_ROW_BYTES, a longer one is cut and says so.
 */
import { colourEnd, EscapeReader, type EscapeState, isNotification, titleOf } from './escape-reader.js';
import { GrowingRow, type GrowingRowState, MAX_ROW_BYTES } from './growing-row.js';
import { type PlainBytes, plainBytes, plainEnd } from './plain-bytes.js';
import { readControl } from './row-controls.js';
import type { RowPlace, RowSink } from './row-sink.js';
import { RowSkipper } from './skip-rows.js';

/** Rows without painting after which a program is taken to print lines again. */
export const LINEAR_ROWS = 50;
/** Rows up that are a repaint. One row up is what spinners and npm do, and shells must not become deaf by it. */
const REPAINT_ROWS = 2;

const LF = 10;
const BEL = 7;
const CR = 13;
const ESC = 0x1b;

export interface RowReaderState {
  mode: 'lines' | 'screen' | 'alternate';
  line: number;
  row: GrowingRowState;
  hasJumped: boolean;
  isIgnored: boolean;
  isTouched: boolean;
  depth: number;
  linear: number;
  isPainted: boolean;
  isFramed: boolean;
  escape: EscapeState;
}

export class RowReader {
  readonly #sink: RowSink;
  readonly #escape: EscapeReader;
  readonly #skipper = new RowSkipper();
  #mode: RowReaderState['mode'] = 'lines';
  #line = 1;
  readonly #row: GrowingRow;
  /** A return that no line feed has followed: for who watches what is printed, what comes next is somewhere else. */
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
    this.#row = new GrowingRow(state?.row);
    if (!state) return;
    this.#mode = state.mode;
    this.#line = state.line;
    this.#hasJumped = state.hasJumped;
    this.#isIgnored = state.isIgnored;
    this.#depth = state.depth;
    this.#isTouched = state.isTouched;
    this.#linear = state.linear;
    this.#isPainted = state.isPainted;
    this.#isFramed = state.isFramed;
  }

  state(): RowReaderState {
    return {
      mode: this.#mode,
      line: this.#line,
      row: this.#row.state(),
      hasJumped: this.#hasJumped,
      isIgnored: this.#isIgnored,
      isTouched: this.#isTouched,
      depth: this.#depth,
      linear: this.#linear,
      isPainted: this.#isPainted,
      isFramed: this.#isFramed,
      escape: this.#escape.state(),
    };
  }

  /** Columns of the terminal; 0 if nobody knows: then rows are as wide as they are long. */
  resize(cols: number): void {
    this.#row.resize(cols);
  }

  /** During a mark: the journal position after the sequence that made it. */
  get position(): number {
    return this.#base + this.#escape.index + 1;
  }

  /** No row has begun and no sequence is open. */
  isAtRest(): boolean {
    return this.#row.isEmpty && !this.#row.isReturned && !this.#escape.isOpen;
  }

  /** Reads output. `position` is the journal position of its first byte. */
  push(output: Uint8Array, position: number): void {
    this.#base = position;
    const plain = plainBytes(output);
    const { bytes } = plain;
    let at = this.#escape.isOpen ? this.#escape.read(bytes, 0) : 0;
    let isRowNew = true;
    while (at < bytes.length) {
      if (isRowNew && this.#isFresh()) {
        isRowNew = false;
        at = this.#skip(plain, at);
        if (at === bytes.length) return;
      }
      const start = at;
      if (bytes[at] !== ESC) at = plainEnd(plain, at);
      if (at > start) {
        if (this.#sink.isWatching) {
          if (this.#hasJumped) this.#sink.moved('row');
          this.#sink.printed(bytes, start, at);
        }
        this.#hasJumped = false;
        if (this.#isFresh() && at < bytes.length && at - start <= MAX_ROW_BYTES) {
          const end = bytes[at] === LF ? at + 1 : bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : 0;
          if (end > 0) {
            this.#sink.plainRow(bytes, start, at, position + start, position + end, this.#line++);
            at = end;
            isRowNew = true;
            continue;
          }
        }
        this.#print(bytes, start, at);
        if (at === bytes.length) return;
      }
      const byte = bytes[at] as number; // within bounds
      if (byte === ESC) {
        const end = colourEnd(bytes, at) || this.#escape.readWhole(bytes, at);
        if (end === 0) {
          this.#escape.begin();
          at = this.#escape.read(bytes, at + 1);
        } else at = end;
      } else {
        isRowNew = byte === LF;
        this.#onSingle(byte, at++);
      }
    }
  }

  #skip(output: PlainBytes, from: number): number {
    const structure = this.#sink.openRows();
    if (!structure) return from;
    const skipper = this.#skipper;
    const end = skipper.skip(output, from, structure);
    if (end === from) return from;
    this.#sink.skipped(skipper.hasText);
    this.#line += skipper.rows;
    this.#hasJumped = false;
    return end;
  }

  /** The row that has begun, as it stands; null if there is none that is a line. */
  partial(): { text: string; place: RowPlace; isCut: boolean } | null {
    const row = this.#row;
    if (this.#isDiscarding() || row.isEmpty) return null;
    return { text: row.text(), place: { from: row.from, to: row.from, line: this.#line }, isCut: row.isCut };
  }

  /** As `partial` for a row of plain text up to so many bytes; cheap enough for every record. */
  shortPartial(maxBytes: number): string | null {
    return this.#row.length > maxBytes ? null : (this.partial()?.text ?? null);
  }

  /** Finishes the row that has begun, as if a line feed stood at `to`; what follows up to the real one is ignored. */
  takePartial(to: number): { text: string; place: RowPlace; isCut: boolean } | null {
    const partial = this.partial();
    if (partial) {
      this.#row.clear();
      this.#isIgnored = true;
    }
    return partial && { ...partial, place: { ...partial.place, to } };
  }

  #isFresh(): boolean {
    return this.#row.from === -1 && !this.#row.isReturned && !this.#isDiscarding();
  }

  #isDiscarding(): boolean {
    return this.#mode !== 'lines' || this.#isIgnored || this.#depth > 0;
  }

  #print(bytes: Uint8Array, start: number, end: number): void {
    if (this.#isDiscarding()) return;
    this.#row.print(bytes, start, end, this.#base + start);
  }

  // ── control characters and sequences ───────────────────────────────────────────────────────────────────────────────────────

  #onSingle(code: number, index: number): void {
    if (code === LF || code === 11 || code === 12) this.#lineFeed(index);
    else if (code === CR) {
      this.#hasJumped = true;
      if (!this.#row.isEmpty && !this.#isDiscarding()) this.#row.isReturned = true;
    } else if (code === BEL) this.#sink.rang(this.#base + index + 1);
    else if (code === 8) this.#move(-1, index);
    else if (code === 9 && !this.#isDiscarding()) this.#row.edit(this.#base + index).tab(); // inside a sequence; elsewhere it is text
  }

  #lineFeed(index: number): void {
    const line = this.#line++;
    this.#hasJumped = false;
    if (this.#sink.isWatching) this.#sink.fed();
    if (this.#mode === 'screen') {
      this.#isPainted = false;
      this.#linear = this.#isFramed ? 0 : this.#linear + 1;
      if (this.#linear !== LINEAR_ROWS) return;
      this.#toLines(false);
      this.#sink.mark('lines');
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
      const row = this.#row;
      const from = row.from === -1 ? to - 1 : row.from;
      const plain = row.plain();
      if (plain) this.#sink.plainRow(plain, 0, plain.length, from, to, line);
      else this.#sink.row(row.text(), { from, to, line }, row.isCut);
    }
    this.#row.clear();
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
        if (this.#mode === 'screen') this.#sink.mark('main');
        this.#toLines(false);
    }
  }

  #onControl(final: number, mark: string, parameters: readonly number[]): void {
    const control = readControl(final, mark, parameters);
    const first = parameters[0] ?? -1;
    const count = Math.max(1, first);
    switch (control) {
      case null:
        return;
      case 'up':
        this.#up(count);
        return;
      case 'down':
        this.#down(count);
        return;
      case 'back':
        this.#move(-count, this.#escape.index);
        return;
      case 'paint':
        this.#paint();
        return;
      case 'alternate':
      case 'main':
        this.#switchScreen(control);
        return;
      case 'frame_begin':
      case 'frame_end':
        this.#isFramed = control === 'frame_begin';
        return;
      case 'column':
        if (this.#sink.isWatching) this.#sink.moved('row');
    }
    if (!this.#isDiscarding()) this.#editRow(control, count, Math.max(0, first));
  }

  /** What happens within the row. */
  #editRow(control: 'forward' | 'column' | 'erase' | 'delete' | 'insert' | 'blank', count: number, part: number): void {
    const row = this.#row;
    const position = this.#base + this.#escape.index;
    if (control === 'forward') row.forward(count, position);
    else if (control === 'column') row.edit(position).moveTo(count - 1);
    else if (control === 'erase' && part <= 2) row.erase(part, position);
    else if (control === 'delete') row.edit(position).deleteChars(count);
    else if (control === 'insert') row.edit(position).insertChars(count);
    else if (control === 'blank') row.edit(position).eraseChars(count);
    row.tidy();
  }

  #onCommand(payload: string): void {
    if (isNotification(payload)) this.#sink.notified(payload, this.position);
    const title = titleOf(payload);
    if (title !== null) this.#sink.titled(Buffer.from(title, 'latin1').toString('utf8'));
    // In a frame it is an agent's own screen that marks what the person said (pi does), not a shell that prompts.
    if (!/^133;[ACD]/.test(payload) || this.#mode === 'alternate' || this.#isFramed) return;
    this.#sink.mark('prompt');
    if (this.#mode === 'screen') this.#toLines(this.#isPainted);
  }

  // ── moves ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  #move(columns: number, index: number): void {
    if (this.#sink.isWatching) this.#sink.moved('row');
    if (!this.#isDiscarding() && !this.#row.isEmpty) this.#row.edit(this.#base + index).moveBy(columns);
  }

  #up(count: number): void {
    if (this.#sink.isWatching) this.#sink.moved('anywhere');
    if (this.#mode !== 'lines') {
      this.#paint();
      return;
    }
    let rows = count;
    if (this.#depth === 0) {
      if (!this.#isIgnored && !this.#row.isEmpty) {
        //  a row that is wider than the terminal: its own upper screen rows are still the row
        const { rowsAbove } = this.#row.edit(this.#base + this.#escape.index);
        if (this.#row.moveRows(-rows)) return;
        rows -= rowsAbove;
      }
      this.#isTouched = this.#isIgnored || !this.#row.isEmpty;
      this.#row.clear();
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
    else if (this.#depth > 0 || !this.#row.moveRows(count)) this.#paint();
  }

  #descend(rows: number): void {
    this.#depth -= rows;
    if (this.#depth > 0) return;
    this.#isIgnored = this.#isTouched;
    this.#isTouched = false;
  }

  #paint(): void {
    if (this.#sink.isWatching) this.#sink.moved('anywhere');
    if (this.#mode === 'alternate') return;
    this.#linear = 0;
    this.#isPainted = true;
    if (this.#mode === 'screen') return;
    this.#mode = 'screen';
    this.#depth = 0;
    this.#row.clear();
    this.#isIgnored = false;
    this.#sink.mark('painting');
  }

  #toLines(isRowPainted: boolean): void {
    this.#mode = 'lines';
    this.#row.clear();
    this.#depth = 0;
    this.#linear = 0;
    this.#isPainted = false;
    this.#isIgnored = isRowPainted;
  }

  #switchScreen(to: 'alternate' | 'main'): void {
    if ((this.#mode === 'alternate') === (to === 'alternate')) return;
    if (this.#sink.isWatching) this.#sink.moved('anywhere');
    this.#sink.mark(to);
    if (to === 'alternate') {
      this.#row.clear();
      this.#mode = 'alternate';
      this.#depth = 0;
    } else this.#toLines(this.#isIgnored);
  }
}

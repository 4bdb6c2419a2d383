/**
 * Row maker: makes rows of text from output while the program *prints lines*. Painted output belongs to the screen
 * side.
 *
 * In:   text, control characters and control sequences, in order, each with its journal position.
 * Out:  through the sink: finished rows, and marks at the ends of documents.
 *
 * It has no emulator and keeps one row: the open one. A line feed finishes it. There are three modes:
 *
 *     lines       rows that a line feed finishes and that no cursor-up or absolute move touched. Edits within the row
 *                 (returns, backspaces, erasures) are carried out, so progress bars and line editors show what a reader
 *                 sees. One row up (npm, spinners): the touched rows are ignored, the rows after them count.
 *                 It is a repaint if a message waits in the touched row (lines-side.ts), or if a block is printed over
 *                 it. A marker that is printed over it counts.
 *                 As long as only the echo of typed text is printed, a line editor may move up any number of rows.
 *     screen      from the first real repaint (two or more rows up, an absolute move, a scroll region, …) to the next
 *                 OSC 133 prompt, the end of the alternate screen, LINEAR_ROWS rows without a repaint (rows of a
 *                 synchronized update, and those of a long repaint (PICTURE_MS), are a picture and do not count), or
 *                 the first text after the program has released the terminal: a program that asks for a line with an
 *                 editor of its own hides the cursor or sets bracketed paste meanwhile, ends both, and prints lines.
 *     alternate   the alternate screen.
 *
 * A row keeps at most MAX_ROW_BYTES. A longer row is cut and marked as cut.
 *
 * The file is long because all three modes share the state of the open row.
 */

import type { TextSpan } from '../../ears/index.js';
import { BEL, CR, LF } from '../../terminal/index.js';
import { type EscapeSink, isNotification, titleOf } from './escape-reader.js';
import { GrowingRow, type GrowingRowState } from './growing-row.js';
import { RESET, readControl, SET } from './row-controls.js';
import { type LinesMode, linesMode, type ModeState, modeOf, modeState, type RowMode, screenMode } from './row-mode.js';
import type { RowSink } from './row-sink.js';

/** Number of rows without a repaint after which a program counts as printing lines again. */
const LINEAR_ROWS = 50;
/**
 * While a program has set one of `HELD_MODES`, rows that follow a repaint within this time belong to it. A program
 * whose conversation is taller than the screen may clear the screen and print all of it again, as Ink does.
 */
const PICTURE_MS = 1_000;
/**
 * Number of rows up that make a repaint. Spinners and npm go up one row, and that must not stop the reading of lines in
 * a shell.
 */
const REPAINT_ROWS = 2;

/** Matches the beginning of a message with several rows. Whether it matches is known at one byte. */
const BLOCK = /^ {0,3}(?:(?:`{3,}|~{3,}) ?orchestrator-message|<output>)/i;
const MARKER = /^ {0,3}:ORCHESTRATOR: /;
const MAX_OVER_BYTES = 4096;
const MAX_BEGINNING_BYTES = 64;
/** The bytes with which such a text begins: a blank, `:`, a fence, `<`. */
const BEGINNINGS: ReadonlySet<number | undefined> = new Set([...' :`~<'].map((char) => char.charCodeAt(0)));
/** Stands for a text of no interest. */
const OTHER = '-';

/** Number of columns that mostly show what a row is. */
const HEAD_COLUMNS = 16;
/** A shown cursor (DECTCEM). */
const CURSOR = 25;
/** A hidden cursor, cursor keys of an application (DECCKM), bracketed paste. */
const HELD_MODES: readonly number[] = [CURSOR, 1, 2004];

export interface RowMakerState extends ModeState {
  line: number;
  row: GrowingRowState;
  hasJumped: boolean;
  isFramed: boolean;
  /** Absent before the first DECSC. */
  savedAt?: number;
  /** Absent before the first line feed from a row that was printed before, and in checkpoints of older versions. */
  again?: number;
}

type RowEdit = 'forward' | 'column' | 'erase' | 'delete' | 'insert' | 'blank';

export class RowMaker implements EscapeSink {
  readonly #sink: RowSink;
  #at: RowMode = linesMode(null);
  #line = 1;
  readonly #row: GrowingRow;
  /** True after a carriage return, until text or a line feed follows. */
  #hasJumped = false;
  /** True inside a synchronized update. Its rows are one frame. */
  #isFramed = false;
  /** The modes of `HELD_MODES` that are set. */
  #held: readonly number[] = [];
  /** Journal position of the last byte of the newest DECSC. */
  #savedAt = -1;
  /** Number of line feeds from rows that were printed before. */
  #again = 0;

  constructor(sink: RowSink, state?: RowMakerState) {
    this.#sink = sink;
    this.#row = new GrowingRow(state?.row);
    if (!state) return;
    this.#at = modeOf(state);
    this.#line = state.line;
    this.#hasJumped = state.hasJumped;
    this.#isFramed = state.isFramed;
    this.#held = state.control?.held ?? [];
    this.#savedAt = state.savedAt ?? -1;
    this.#again = state.again ?? 0;
  }

  state(): RowMakerState {
    return {
      ...modeState(this.#at, this.#held),
      line: this.#line,
      row: this.#row.state(),
      hasJumped: this.#hasJumped,
      isFramed: this.#isFramed,
      ...(this.#savedAt !== -1 && { savedAt: this.#savedAt }),
      ...(this.#again > 0 && { again: this.#again }),
    };
  }

  /** Sets the width of the terminal in columns. With 0 (unknown), rows have no maximum width. */
  resize(cols: number): void {
    this.#row.resize(cols);
  }

  /** True if no row has begun. */
  get isAtRest(): boolean {
    return this.#row.isEmpty && !this.#row.isReturned;
  }

  /** True if the next output begins a row of lines. */
  get isFresh(): boolean {
    return this.#row.from === -1 && !this.#row.isReturned && !this.#isDiscarding();
  }

  /** Returns the open row; null if there is none that counts as a line. */
  partial(): { text: string; place: TextSpan; isCut: boolean } | null {
    const row = this.#row;
    if (this.#isDiscarding() || row.isEmpty) return null;
    return { text: row.text(), place: { from: row.from, to: row.from, line: this.#line }, isCut: row.isCut };
  }

  /** Like `partial`, for a row of plain text up to `maxBytes`; cheap enough to be called for every record. */
  shortPartial(maxBytes: number): string | null {
    return this.#row.length > maxBytes ? null : (this.partial()?.text ?? null);
  }

  /** Finishes the row that has begun, as if a line feed stood at `to`. Output up to the real line feed is ignored. */
  takePartial(to: number): { text: string; place: TextSpan; isCut: boolean } | null {
    const partial = this.partial();
    if (partial && this.#at.mode === 'lines') {
      this.#at.taken = this.#row.length;
      this.#row.clear();
    }
    return partial && { ...partial, place: { ...partial.place, to } };
  }

  // ── text ────────────────────────────────────────────────

  /** Called when whole rows were skipped, while `isFresh`. */
  passed(rows: number): void {
    this.#line += rows;
    this.#hasJumped = false;
  }

  /** True while output is painted, so that it is not a line. */
  get isPainted(): boolean {
    return this.#at.mode !== 'lines';
  }

  /** Number of line feeds from rows that were printed before: they lead to no row that has another line number. */
  get again(): number {
    return this.#again;
  }

  /** True while the program hides the cursor, as while it paints a spinner or a text that grows. */
  get hidesCursor(): boolean {
    return this.#held.includes(CURSOR);
  }

  /** True if the next text is a line, because the program that painted has released the terminal. */
  get isReleased(): boolean {
    return this.#at.mode === 'screen' && this.#at.isReleased;
  }

  /** Called when input was submitted. */
  entered(): void {
    if (this.#at.mode === 'screen' && this.#held.length === 0) this.#at.isReleased = true;
  }

  /** Called when text came, while `isPainted` and nothing is watched. */
  textCame(): void {
    this.#hasJumped = false;
  }

  /**
   * Called for text at any place.
   * @param position  Journal position of the byte at `start`.
   */
  see(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (this.#at.mode === 'screen' && this.#at.isReleased && !this.#isFramed) {
      this.#toLines(this.#at.isRowPainted && !this.#hasJumped ? 0 : null);
      this.#sink.mark('lines', position);
    }
    this.#sink.pacer?.text(bytes, start, end, position);
    if (this.#sink.isWatching) {
      if (this.#hasJumped) this.#sink.moved('row');
      this.#sink.printed(bytes, start, end);
      if (!this.#sink.isWatching) this.#endEcho(position);
    }
    this.#hasJumped = false;
  }

  /** Called for the first text that is not an echo. */
  #endEcho(position: number): void {
    if (this.#at.mode !== 'lines') return;
    if (this.#at.taken !== null) this.#row.clear();
    if (this.#at.depth >= REPAINT_ROWS) this.#paint(position);
  }

  /** Called for a complete row of text, while `isFresh`. */
  plainRow(bytes: Buffer, start: number, end: number, from: number, to: number): void {
    this.#sink.pacer?.lineFeed(to - 1);
    this.#sink.plainRow(bytes, start, end, from, to, this.#line++);
  }

  /** @param position  Journal position of the byte at `start`. */
  print(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (this.#isDropping()) {
      this.#printOver(bytes, start, end, position);
      return;
    }
    if (this.#at.mode === 'lines' && this.#at.taken && this.#row.isEmpty) this.#row.forward(this.#at.taken, position);
    this.#row.print(bytes, start, end, position);
  }

  /** Called for text over a row that was printed. A block there is no line, so the screen side has to read it. */
  #printOver(bytes: Uint8Array, start: number, end: number, position: number): void {
    const at = this.#at;
    if (at.mode !== 'lines' || at.depth === 0 || this.#sink.isWatching) return;
    if (at.over.endsWith('\r')) at.over = '';
    if (at.over === '') {
      at.overFrom = position;
      if (!BEGINNINGS.has(bytes[start])) at.over = OTHER;
    }
    const { length } = at.over;
    if (at.over === OTHER || length === MAX_OVER_BYTES) return;
    at.over += Buffer.from(bytes.subarray(start, Math.min(end, start + MAX_OVER_BYTES - length))).toString('latin1');
    if (length >= MAX_BEGINNING_BYTES) return;
    const begun = BLOCK.exec(at.over.slice(0, MAX_BEGINNING_BYTES))?.[0].length ?? 0;
    if (begun <= length) return;
    const read = begun - length;
    this.#paint(position + read - 1, true);
    if (start + read < end) this.#sink.pacer?.text(bytes, start + read, end, position + read);
  }

  /** @param position  Journal position of the line feed. */
  #feedOver(at: LinesMode, position: number): void {
    const { over, overFrom, depth } = at;
    at.over = '';
    if (over === OTHER || this.#sink.isWatching || !MARKER.test(over)) return;
    const text = Buffer.from(over.replace(/\r$/, ''), 'latin1').toString('utf8');
    const place = { from: overFrom, to: position + 1, line: this.#line - depth };
    this.#sink.rowOver(text, place, over.length >= MAX_OVER_BYTES);
  }

  // ── control characters and sequences ────────────────────────────────────────────────

  single(code: number, position: number): void {
    if (code < BEL || code > CR) return;
    if (code !== BEL && code !== LF && code !== CR) this.#endOver();
    if (code === LF || code === 11 || code === 12) this.#lineFeed(position);
    else if (code === CR) {
      this.#hasJumped = true;
      if (this.#at.mode === 'lines' && this.#at.over !== '' && !this.#at.over.endsWith('\r')) this.#at.over += '\r';
      if (!this.#row.isEmpty && !this.#isDropping()) this.#row.isReturned = true;
    } else if (code === BEL) this.#sink.rang(position + 1);
    else if (code === 8) this.#move(-1, position);
    // A tab arrives here only inside a sequence. Elsewhere it is text.
    else if (code === 9 && !this.#isDropping()) this.#row.edit(position).tab();
  }

  #lineFeed(position: number): void {
    this.#sink.pacer?.lineFeed(position);
    const at = this.#at;
    if (at.mode === 'lines' && at.over !== '') this.#feedOver(at, position);
    const line = this.#line++;
    this.#hasJumped = false;
    if (this.#sink.isWatching) this.#sink.fed();
    if (at.mode === 'screen') {
      at.isRowPainted = false;
      const isOfRepaint = this.#held.length > 0 && this.#sink.now() - at.paintedAt < PICTURE_MS;
      const isPicture = this.#isFramed || isOfRepaint;
      at.linear = isPicture ? 0 : at.linear + 1;
      if (at.linear !== LINEAR_ROWS) return;
      this.#toLines(null);
      this.#sink.mark('lines', position + 1);
      this.#sink.reprinting(at.paintedAt);
      return;
    }
    if (at.mode === 'alternate') return;
    if (at.depth > 0) {
      // row          ESC[A moved the cursor up from here
      // …
      // lowest row   … and this line feed moves it down again: the row counts as edited
      this.#again++;
      descend(at, 1);
      return;
    }
    // A line editor may have moved up in a row that is wider than the terminal.
    if (this.#sink.isWatching && this.#row.moveDown(position)) return;
    if (at.taken === null) {
      const to = position + 1;
      const row = this.#row;
      const from = row.from === -1 ? to - 1 : row.from;
      if (!this.#passesHead()) {
        const plain = row.plain() ?? (this.#sink.isWatching ? null : row.edited());
        if (plain) this.#sink.plainRow(plain, 0, plain.length, from, to, line);
        else this.#sink.row(row.text(), { from, to, line }, row.isCut);
      }
    }
    this.#row.clear();
    at.taken = null;
  }

  /** True if the sink skips the row because of its beginning. Only an edited row is asked for. */
  #passesHead(): boolean {
    const head = this.#row.editedHead(HEAD_COLUMNS);
    return head !== null && this.#sink.passes(head);
  }

  escape(final: number, position: number, began: number): void {
    this.#sink.pacer?.escape(final, position, began);
    switch (String.fromCharCode(final)) {
      case 'D': // IND
      case 'E': // NEL
        this.#lineFeed(position);
        return;
      case 'M': // RI
        this.#up(1, position);
        return;
      case '7': // DECSC
        this.#savedAt = position;
        return;
      case '8': // DECRC: without anything in between, the cursor stands where it was
        if (this.#savedAt !== began - 1) this.#paint(position);
        return;
      case 'c': // RIS: an empty screen, from the top
        this.#switchScreen('main', position);
        if (this.#at.mode === 'screen') this.#sink.mark('main', position + 1);
        this.#toLines(null);
        this.#sink.reprinting(this.#sink.now());
    }
  }

  control(final: number, mark: string, parameters: readonly number[], position: number, began: number): void {
    this.#sink.pacer?.control(final, mark, parameters, position, began);
    if (mark === '?' && (final === SET || final === RESET)) this.#takeMode(parameters, final === SET);
    const control = readControl(final, mark, parameters);
    if (control === null) return;
    if (control !== 'erase' || (parameters[0] ?? 0) > 0) this.#endOver();
    if (mark === '' && this.isPainted) {
      // In this mode there is no row to edit.
      if (control === 'up' || control === 'down' || control === 'paint') this.paintOn();
      else if (control === 'back' || control === 'column') this.#jump();
      return;
    }
    const first = parameters[0] ?? -1;
    const count = Math.max(1, first);
    switch (control) {
      case 'up':
        this.#up(count, position);
        return;
      case 'down':
        this.#down(count, position);
        return;
      case 'back':
        this.#move(-count, position);
        return;
      case 'paint':
        this.#paint(position);
        return;
      case 'alternate':
      case 'main':
        this.#switchScreen(control, position);
        return;
      case 'frame_begin':
      case 'frame_end':
        this.#isFramed = control === 'frame_begin';
        return;
      case 'column':
        this.#jump();
    }
    if (!this.#isDropping()) this.#editRow(control, count, Math.max(0, first), position);
  }

  #takeMode(modes: readonly number[], isSet: boolean): void {
    const changed = HELD_MODES.filter((mode) => modes.includes(mode));
    if (changed.length === 0) return;
    const kept = this.#held.filter((mode) => !changed.includes(mode));
    this.#held = [...kept, ...changed.filter((mode) => (mode === CURSOR) !== isSet)];
    // A program may show the cursor at its end although it never hid it.
    if (this.#at.mode === 'screen') this.#at.isReleased = this.#held.length === 0;
  }

  /** Carries out a control within the row. */
  #editRow(control: RowEdit, count: number, part: number, position: number): void {
    const row = this.#row;
    if (control === 'forward') row.forward(count, position);
    else if (control === 'column') row.edit(position).moveTo(count - 1);
    else if (control === 'erase' && part <= 2) row.erase(part, position);
    else if (control === 'delete') row.edit(position).deleteChars(count);
    else if (control === 'insert') row.edit(position).insertChars(count);
    else if (control === 'blank') row.edit(position).eraseChars(count);
    row.tidy();
  }

  /** @param position  Journal position of its last byte. */
  command(payload: string, position: number): void {
    if (isNotification(payload)) this.#sink.notified(payload, position + 1);
    const title = titleOf(payload);
    if (title !== null) this.#sink.titled(Buffer.from(title, 'latin1').toString('utf8'));
    // In a frame, an agent's own screen marks the person's words in this way (pi does); it is not the prompt of a
    // shell.
    if (!/^133;[ACD]/.test(payload) || this.#at.mode === 'alternate' || this.#isFramed) return;
    this.#sink.mark('prompt', position + 1);
    if (this.#at.mode === 'screen') this.#toLines(this.#at.isRowPainted ? 0 : null);
  }

  #endOver(): void {
    if (this.#at.mode === 'lines') this.#at.over = '';
  }

  #isDiscarding(): boolean {
    return this.#at.mode !== 'lines' || this.#at.depth > 0 || this.#at.taken !== null;
  }

  /** Like `#isDiscarding`, but false for an echo, whose place in an ignored row must be known. */
  #isDropping(): boolean {
    const at = this.#at;
    return at.mode !== 'lines' || at.depth > 0 || (at.taken !== null && !this.#sink.isWatching);
  }

  // ── moves ────────────────────────────────────────────────

  /** Called when the cursor moves within its row. */
  #jump(): void {
    if (this.#sink.isWatching) this.#sink.moved('row');
  }

  #move(columns: number, position: number): void {
    this.#jump();
    if (!this.#isDropping() && !this.#row.isEmpty) this.#row.edit(position).moveBy(columns);
  }

  #up(count: number, position: number): void {
    if (this.#sink.isWatching) this.#sink.moved('anywhere');
    const at = this.#at;
    if (at.mode !== 'lines') {
      this.#paint(position);
      return;
    }
    let rows = count;
    if (at.depth === 0) {
      if (!this.#row.isEmpty) {
        //  a row that is wider than the terminal: its own upper screen rows are still the row
        const { rowsAbove } = this.#row.edit(position);
        if (this.#row.moveRows(-rows)) return;
        rows -= rowsAbove;
      }
      at.isTouched = at.taken !== null || !this.#row.isEmpty;
      this.#row.clear();
    }
    at.depth += rows;
    const isRepaint = at.depth >= REPAINT_ROWS || this.#sink.repaints(this.#line - this.#again - at.depth);
    if (isRepaint && !this.#sink.isWatching) this.#paint(position);
  }

  #down(count: number, position: number): void {
    const at = this.#at;
    if (at.mode === 'lines' && at.depth >= count) descend(at, count);
    else if (at.mode !== 'lines' || at.depth > 0 || !this.#row.moveRows(count)) this.#paint(position);
  }

  /**
   * @param position  Journal position of the last byte of the sequence, or of the text, that paints.
   * @param isMessage  True if a message is painted.
   */
  #paint(position: number, isMessage = false): void {
    this.paintOn();
    if (this.isPainted) return;
    this.#at = screenMode(this.#sink.now());
    this.#row.clear();
    this.#sink.mark('painting', position + 1, isMessage);
  }

  /** Called while `isPainted`, when the cursor has moved to another row, or the rows have moved. */
  paintOn(): void {
    if (this.#sink.isWatching) this.#sink.moved('anywhere');
    const at = this.#at;
    if (at.mode !== 'screen') return;
    at.linear = 0;
    at.paintedAt = this.#sink.now();
    at.isRowPainted = true;
    at.isReleased = false;
  }

  /** @param taken  0 if the rest of the open row is painted, and therefore ignored. */
  #toLines(taken: number | null): void {
    this.#at = linesMode(taken);
    this.#row.clear();
  }

  #switchScreen(to: 'alternate' | 'main', position: number): void {
    const at = this.#at;
    if ((at.mode === 'alternate') === (to === 'alternate')) {
      // A program may have painted the normal screen, and end as if it had painted the alternate one.
      if (at.mode === 'screen') at.isReleased = true;
      return;
    }
    if (this.#sink.isWatching) this.#sink.moved('anywhere');
    this.#sink.mark(to, position + 1);
    const taken = at.mode === 'screen' ? null : at.taken;
    if (to === 'main') this.#toLines(taken);
    else {
      this.#row.clear();
      this.#at = { mode: 'alternate', taken };
    }
  }
}

/** Moves the cursor down by rows that were printed before. Arrived at the lowest, it may go on in an edited row. */
function descend(at: LinesMode, rows: number): void {
  at.depth -= rows;
  if (at.depth > 0) return;
  at.taken = at.isTouched ? (at.taken ?? 0) : null;
  at.isTouched = false;
}

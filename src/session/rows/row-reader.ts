/**
 * Row reader: splits a terminal's output into text, control characters and control sequences, for the row maker.
 *
 * In:   bytes, cut anywhere, with their journal position (`push`).
 * Out:  through the sink, in order: finished rows, and marks where documents end (row-maker.ts).
 *
 * Rows without control characters are passed on as bytes: `plainRow` decides if they are needed as text. If most
 * rows cannot contain a message (`openRows`), many of them are skipped together.
 */

import type { TextSpan } from '../../ears/index.js';
import { CR, ESC, LF } from '../../terminal/index.js';
import { colourEnd, EscapeReader, type EscapeState } from './escape-reader.js';
import { MAX_ROW_BYTES } from './growing-row.js';
import { PaintedReader } from './painted-reader.js';
import { isText, PlainBytes } from './plain-bytes.js';
import { RowMaker, type RowMakerState } from './row-maker.js';
import type { RowSink } from './row-sink.js';
import { RowSkipper } from './skip-rows.js';

export interface RowReaderState extends RowMakerState {
  escape: EscapeState;
}

export class RowReader {
  readonly #sink: RowSink;
  readonly #escape: EscapeReader;
  readonly #maker: RowMaker;
  readonly #skipper = new RowSkipper();
  readonly #painted: PaintedReader;
  /** Position of the byte at index 0 of the output that is being read. */
  #base = 0;

  constructor(sink: RowSink, state?: RowReaderState) {
    this.#sink = sink;
    this.#maker = new RowMaker(sink, state);
    this.#escape = new EscapeReader(this.#maker, state?.escape);
    this.#painted = new PaintedReader(this.#maker);
  }

  state(): RowReaderState {
    return { ...this.#maker.state(), escape: this.#escape.state() };
  }

  /** Sets the width of the terminal in columns. With 0 (unknown), rows have no maximum width. */
  resize(cols: number): void {
    this.#maker.resize(cols);
  }

  /** True if no row has begun and no sequence is open. */
  isAtRest(): boolean {
    return this.#maker.isAtRest && !this.#escape.isOpen;
  }

  get hidesCursor(): boolean {
    return this.#maker.hidesCursor;
  }

  /** Number of line feeds from rows that were printed before. */
  get again(): number {
    return this.#maker.again;
  }

  /** Called when input was submitted. */
  entered(): void {
    this.#maker.entered();
  }

  /** Returns the open row if it counts as a line and has at most `maxBytes` bytes. */
  shortPartial(maxBytes: number): string | null {
    return this.#maker.shortPartial(maxBytes);
  }

  /** Finishes the open row, as if it ended at `to`. Text after that, up to the real line feed, is ignored. */
  takePartial(to: number): { text: string; place: TextSpan; isCut: boolean } | null {
    return this.#maker.takePartial(to);
  }

  /** Reads output. `position` is the journal position of its first byte. */
  push(output: Uint8Array, position: number): void {
    this.#base = position;
    this.#escape.base = position;
    const plain = new PlainBytes(output);
    const { bytes } = plain;
    let at = this.#escape.isOpen ? this.#escape.read(bytes, 0) : 0;
    let isRowNew = true;
    while (at < bytes.length) {
      if (isRowNew) {
        isRowNew = false;
        at = this.#skip(plain, at);
        if (at === bytes.length) return;
      }
      if (this.#maker.isPainted) {
        const end = this.#readPainted(bytes, at);
        isRowNew = end > at && !this.#maker.isPainted;
        at = end;
        if (at === bytes.length) return;
        if (isRowNew) continue;
      }
      const byte = bytes[at] as number; // within bounds
      if (byte === ESC) {
        at = this.#readEscape(bytes, at);
        continue;
      }
      if (!isText(byte)) {
        isRowNew = byte === LF;
        this.#maker.single(byte, position + at++);
        continue;
      }
      const end = plain.end(at);
      const feed = this.#readText(bytes, at, end);
      isRowNew = feed > end;
      at = feed;
    }
  }

  /** @returns The index of the first row that has to be read. */
  #skip(output: PlainBytes, from: number): number {
    const structure = this.#maker.isFresh ? this.#sink.openRows() : null;
    if (!structure) return from;
    const skipper = this.#skipper;
    const end = skipper.skip(output, from, structure);
    if (end > from) {
      this.#sink.skipped(skipper.hasText);
      this.#maker.passed(skipper.rows);
    }
    return end;
  }

  /** @returns The index after the text, or after the row if it is complete. */
  #readText(bytes: Buffer, start: number, end: number): number {
    const maker = this.#maker;
    maker.see(bytes, start, end, this.#base + start);
    if (maker.isFresh && end < bytes.length && end - start <= MAX_ROW_BYTES) {
      const isReturned = bytes[end] === CR && end + 1 < bytes.length;
      const feed = bytes[end] === LF ? end + 1 : isReturned && bytes[end + 1] === LF ? end + 2 : 0;
      if (feed > 0) {
        maker.plainRow(bytes, start, end, this.#base + start, this.#base + feed);
        return feed;
      }
    }
    maker.print(bytes, start, end, this.#base + start);
    return end;
  }

  /** @returns The index of the first byte that the caller has to handle. */
  #readPainted(bytes: Buffer, at: number): number {
    const { pacer, isWatching } = this.#sink;
    if (!pacer || isWatching || this.#maker.isReleased) return at;
    return this.#painted.read(bytes, at, this.#base, pacer);
  }

  /** @returns The index after the sequence that begins here; the index of the end if it continues later. */
  #readEscape(bytes: Buffer, at: number): number {
    const end = colourEnd(bytes, at) || this.#escape.readWhole(bytes, at);
    if (end > 0) return end;
    this.#escape.begin(this.#base + at);
    return this.#escape.read(bytes, at + 1);
  }
}

/**
 * Painted reader: reads the output of a program while it paints. There is no row to edit then. Only the places of text,
 * line feeds and cursor movements matter.
 *
 * In:   output, and the index at which to begin.
 * Out:  calls of the row maker and the pacer. The index of the first byte that the caller has to handle: BEL, a
 *       sequence with a private mark, a string, an incomplete or unusual sequence.
 *
 *     text ESC [ 5 A text LF ESC [ ? 2026 l
 *                            ^              returned
 *
 * It makes one pass over the bytes. Most sequences (colours) cost no more than their length.
 */

import { BEL, ESC } from '../../terminal/index.js';
import { MAX_NUMBER, MAX_PARAMETERS } from './escape-reader.js';
import { BY_CODE, ERASE_DISPLAY, RESTORE } from './row-controls.js';
import type { OutputPacer } from './row-sink.js';

/** The calls of a painted reader. */
interface PaintedSink {
  readonly isPainted: boolean;
  /** A control character other than ESC and BEL. */
  single(code: number, position: number): void;
  /** Called when text came. */
  textCame(): void;
  /** Called when the cursor has moved to another row, or the rows have moved. */
  paintOn(): void;
}

const BRACKET = 0x5b;
const COLOUR = 0x6d; // m

const TEXT = 0;
const CONTROL = 1;
const OTHER = 2;
/** Kinds of bytes: text (including TAB), a control character, or a byte that is not handled here. */
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 9 || (byte >= 0x20 && byte !== 0x7f)) return TEXT;
  return byte === ESC || byte === BEL || byte === 0x7f ? OTHER : CONTROL;
});

/** 1 for final bytes that move the cursor to another row, or the rows themselves. */
const PAINTS = Uint8Array.from({ length: 128 }, (_, byte) => {
  const control = BY_CODE[byte];
  return control === 'up' || control === 'down' || control === 'paint' ? 1 : 0;
});

export class PaintedReader {
  readonly #sink: PaintedSink;

  constructor(sink: PaintedSink) {
    this.#sink = sink;
  }

  /** @param base  Journal position of the byte at index 0. */
  read(bytes: Uint8Array, from: number, base: number, pacer: OutputPacer): number {
    const { length } = bytes;
    let at = from;
    while (at < length) {
      const byte = bytes[at] as number; // within bounds
      const kind = BYTES[byte];
      if (kind === TEXT) {
        let end = at + 1;
        while (end < length && BYTES[bytes[end] as number] === TEXT) end++; // within bounds
        pacer.text(bytes, at, end, base + at);
        this.#sink.textCame();
        at = end;
      } else if (kind === CONTROL) {
        this.#sink.single(byte, base + at++);
        if (!this.#sink.isPainted) return at;
      } else {
        if (byte !== ESC) return at;
        const end = this.#control(bytes, at, base, pacer);
        if (end === 0) return at;
        at = end;
      }
    }
    return at;
  }

  /** @returns The index after the control sequence at `at`; 0 if the caller has to handle it. */
  #control(bytes: Uint8Array, at: number, base: number, pacer: OutputPacer): number {
    const begin = at + 2;
    if (begin >= bytes.length || bytes[at + 1] !== BRACKET) return 0;
    const limit = Math.min(bytes.length, begin + MAX_PARAMETERS);
    let end = begin;
    let first = -1;
    let byte = bytes[end] as number; // within bounds
    while (byte >= 0x30 && byte <= 0x39) {
      first = Math.min(Math.max(first, 0) * 10 + byte - 0x30, MAX_NUMBER);
      if (++end === limit) return 0;
      byte = bytes[end] as number; // within bounds
    }
    while (byte >= 0x30 && byte <= 0x3b) {
      if (++end === limit) return 0;
      byte = bytes[end] as number; // within bounds
    }
    if (byte < 0x40 || byte >= 0x7f) return 0;
    if (byte === COLOUR) return end + 1;
    pacer.moved(byte, first, base + end, base + at);
    let paints = PAINTS[byte] === 1;
    if (byte === ERASE_DISPLAY) paints = first > 0 && first !== 3;
    else if (byte === RESTORE) paints = first === -1; // with a parameter it is a key
    if (paints) this.#sink.paintOn();
    return end + 1;
  }
}

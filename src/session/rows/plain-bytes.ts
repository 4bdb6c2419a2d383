/**
 * Plain bytes: finds the end of a run of text in a terminal's output. Text is every byte except control characters. TAB
 * counts as text. Most output is such runs.
 *
 * If there are more than a few bytes, all control characters are marked first (control-marks.ts). A run then ends at
 * the next mark. One word of marks stands for 32 bytes.
 */
import { type ControlMarker, controlMarker, MAX_MARKED_BYTES } from './control-marks.js';

/** 1 for bytes that are text. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte === 9 || (byte >= 32 && byte !== 127) ? 1 : 0));
export const isText = (byte: number): boolean => PLAIN[byte] === 1;

/** Below this number of bytes, marking costs more than it saves. */
const MIN_MARKED_BYTES = 64;
const WORD_BITS = 32;
const WORD_SHIFT = 5;

/** The object that the marks in the shared marker belong to. */
let marked: PlainBytes | null = null;

export class PlainBytes {
  readonly bytes: Buffer;
  readonly #marker: ControlMarker | null;
  /** The range that was marked last. */
  #from = 0;
  #to = 0;

  constructor(output: Uint8Array, marker = controlMarker()) {
    this.bytes = Buffer.isBuffer(output) ? output : Buffer.from(output.buffer, output.byteOffset, output.length);
    this.#marker = output.length < MIN_MARKED_BYTES ? null : marker;
  }

  /** Returns the index of the first byte at or after `from` that is not text; the length if there is none. */
  end(from: number): number {
    const { bytes } = this;
    const marker = this.#marker;
    let at = from;
    if (marker === null) {
      while (at < bytes.length && PLAIN[bytes[at] as number] === 1) at++; // within bounds
      return at;
    }
    while (at < bytes.length) {
      if (marked !== this || at < this.#from || at >= this.#to) this.#mark(marker, at);
      at = this.#from + nextMark(marker.marks, at - this.#from);
      if (at < this.#to) return at;
    }
    return at;
  }

  #mark({ marks, mark }: ControlMarker, from: number): void {
    const to = Math.min(this.bytes.length, from + MAX_MARKED_BYTES);
    mark(this.bytes.subarray(from, to));
    const count = to - from;
    // `marks` has one word more than MAX_MARKED_BYTES need.
    marks[count >> WORD_SHIFT] = ((marks[count >> WORD_SHIFT] as number) & ~(-1 << count)) | (1 << count);
    marked = this;
    this.#from = from;
    this.#to = to;
  }
}

/** Returns the index of the next mark. The caller makes sure that there is one. */
function nextMark(marks: Int32Array, from: number): number {
  let index = from >> WORD_SHIFT;
  let word = (marks[index] as number) & (-1 << from); // a shift takes the lowest five bits
  while (word === 0) word = marks[++index] as number; // within bounds
  //  the lowest bit alone
  return (index << WORD_SHIFT) + WORD_BITS - 1 - Math.clz32(word & -word);
}

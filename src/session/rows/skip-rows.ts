/**
 * Row skipper: skips rows that cannot contain a message (open-rows.ts of the ears), without reporting each.
 *
 * In:   output, and the index where a row begins; the structure that contains these rows, which is updated.
 * Out:  the index of the first row that has to be read, the number of skipped rows, and whether one of them is not
 *       blank.
 *
 * A row that it skips is complete. It contains text, colours, and erasures of what is not there yet.
 */
import { type Passed, passBlank, passRow, passText, type Structure } from '../../ears/index.js';
import { CR, ESC, LF } from '../../terminal/index.js';
import { colourEnd } from './escape-reader.js';
import { MAX_ROW_BYTES } from './growing-row.js';
import type { PlainBytes } from './plain-bytes.js';

const SPACE = 32;

export class RowSkipper {
  /** Number of rows that the last call has skipped. */
  rows = 0;
  /** True if one of the skipped rows was not blank. */
  hasText = false;

  /** @returns The index of the first row that was not skipped. */
  skip(output: PlainBytes, from: number, structure: Structure): number {
    const { bytes } = output;
    this.rows = 0;
    this.hasText = false;
    let start = from;
    for (;;) {
      const end = output.end(start);
      let feed = rowEnd(bytes, end);
      let passed: Passed | null = null;
      if (feed > 0) {
        if (feed - start <= MAX_ROW_BYTES) passed = passRow(structure, bytes, start, end);
      } else if (end < bytes.length && bytes[end] === ESC && structure.leaf.kind !== 'fence') {
        feed = colouredEnd(output, end);
        if (feed > 0 && feed - start <= MAX_ROW_BYTES) passed = passColoured(structure, output, start);
      }
      if (passed === null) return start;
      if (passed === 'text') this.hasText = true;
      this.rows++;
      start = feed;
    }
  }
}

/** Tries to skip a complete row that contains colours. */
function passColoured(structure: Structure, output: PlainBytes, start: number): Passed | null {
  const { bytes } = output;
  //  ESC [ 1 m   text
  //              ^    blanks before it are its indent, colours are nothing
  let at = start;
  let blanks = 0;
  for (;;) {
    const byte = bytes[at]; // within bounds: the row is whole
    if (byte === SPACE) {
      blanks++;
      at++;
    } else if (byte === ESC) at = invisibleEnd(bytes, at);
    else break;
  }
  if (bytes[at] === LF || bytes[at] === CR) {
    passBlank(structure);
    return 'blank';
  }
  const end = output.end(at);
  return passText(structure, bytes, blanks, at, end, bytes[end] !== ESC) ? 'text' : null;
}

/**
 * @param from  Index of an ESC.
 * @returns The index after the line feed; 0 if the row contains anything except text and colours.
 */
function colouredEnd(output: PlainBytes, from: number): number {
  const { bytes } = output;
  let at = from;
  while (at < bytes.length && bytes[at] === ESC) {
    const end = invisibleEnd(bytes, at);
    if (end === 0) return 0;
    at = output.end(end);
  }
  return rowEnd(bytes, at);
}

/** Returns the index after a line feed with or without returns before it; 0 if there is none at `at`. */
function rowEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] === CR) end++;
  return end < bytes.length && bytes[end] === LF ? end + 1 : 0;
}

/**
 * Returns the index after a colour, or after an erasure to the right: at the end of the open row there is nothing to
 * erase.
 */
function invisibleEnd(bytes: Uint8Array, at: number): number {
  const end = colourEnd(bytes, at);
  if (end > 0 || at + 3 >= bytes.length || bytes[at + 1] !== 0x5b) return end;
  const final = bytes[at + 2] === 0x30 ? at + 3 : at + 2;
  return bytes[final] === 0x4b ? final + 1 : 0;
}

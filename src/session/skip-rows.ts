/**
 * Row skipper: the shortest way through rows that can only be text, whatever they say (prefilter.ts): nobody is told of each.
 *
 * In:   output, and where a row begins in it.
 * Out:  where the first row begins that has to be read, how many came before it, and what is to be known of them all.
 *
 * A row that it skips is whole, up to its line feed, and holds text, colours and erasures of what is not there yet.
 */
import { colourEnd } from './escape-reader.js';
import { MAX_ROW_BYTES } from './growing-row.js';
import { type PlainBytes, plainEnd } from './plain-bytes.js';
import { textIndent } from './prefilter.js';

export interface SkippedRows {
  /** Where the first row begins that was not skipped. */
  readonly end: number;
  readonly rows: number;
  /** Blanks before the text of the last row that ends or begins a paragraph: -1 of a blank row; null if none does. */
  readonly indent: number | null;
  /** One of them is not blank. */
  readonly hasText: boolean;
}

const LF = 10;
const CR = 13;
const ESC = 0x1b;
const SPACE = 32;
/** More blanks are indented code, which changes nothing. */
const MAX_PARAGRAPH_INDENT = 3;
/** What begins with a longer number is no list item. */
const MAX_NUMBER_BYTES = 10;

export function skipRows(output: PlainBytes, from: number): SkippedRows {
  const { bytes } = output;
  let start = from;
  let rows = 0;
  let indent: number | null = null;
  let hasText = false;
  for (;;) {
    //  ESC [ 1 m   text
    //              ^    blanks before it are its indent, colours are nothing
    let at = start;
    let blanks = 0;
    let byte = bytes[at];
    while (byte === SPACE || byte === ESC) {
      if (byte === SPACE) {
        blanks++;
        at++;
      } else {
        const end = invisibleEnd(bytes, at);
        if (end === 0) return { end: start, rows, indent, hasText };
        at = end;
      }
      byte = bytes[at];
    }
    let feed = byte === LF || byte === CR ? rowEnd(bytes, at) : 0;
    if (feed > 0) indent = -1;
    else {
      const end = plainEnd(output, at);
      if (end === bytes.length || end === at) break;
      // A number before a colour may go on behind it, and be one of a list.
      const isCut = bytes[end] === ESC && isDigit(bytes[at]) && end - at <= MAX_NUMBER_BYTES;
      if (isCut || textIndent(bytes, at, end) === null) break;
      feed = textEnd(output, end);
      if (feed === 0 || feed - start > MAX_ROW_BYTES) break;
      if (blanks <= MAX_PARAGRAPH_INDENT) indent = blanks;
      hasText = true;
    }
    rows++;
    start = feed;
  }
  return { end: start, rows, indent, hasText };
}

/** @param from  Where a run of text has ended. @returns The index after the line feed; 0 if something else comes first, or nothing. */
function textEnd(output: PlainBytes, from: number): number {
  const { bytes } = output;
  let at = from;
  while (at < bytes.length) {
    if (bytes[at] !== ESC) return rowEnd(bytes, at);
    const end = invisibleEnd(bytes, at);
    if (end === 0) return 0;
    at = plainEnd(output, end);
  }
  return 0;
}

/** The index after a line feed, with returns before it or not; 0 if there is none at `at`. */
function rowEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === CR) end++;
  return bytes[end] === LF ? end + 1 : 0;
}

/** The index after a colour, or after an erasure to the right: at the end of what grows there is nothing. */
function invisibleEnd(bytes: Uint8Array, at: number): number {
  const end = colourEnd(bytes, at);
  if (end > 0 || bytes[at + 1] !== 0x5b) return end;
  const final = bytes[at + 2] === 0x30 ? at + 3 : at + 2;
  return bytes[final] === 0x4b ? final + 1 : 0;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Open rows: skips rows as bytes if their first bytes show that they cannot hold a message. Most output is such rows.
 *
 *     "The quick …"   "2026-01-01 …"   "**bold**"   "    - code"  "---"  "# head"  "```ts" + code   skipped
 *     "- item"  "1. item"  "> quote"  "<b>"  ":ORCH…"  "**:orch…"  "• :orch…"  "```orchestrator-…"     read
 *     "# :orch…"  "| a | :orch… |"                                                                      read
 *     "┌────┐", which begins a box (box-rows.ts of the session)                                          read
 *     "{", "{"type": "QUESTION", a block without a fence (hints.ts)                                      read
 *
 * In:   rows of bytes without their line ends, outside of list items, quotes, HTML and message blocks.
 * Out:  the structure, as `readLine` would leave it; or null if the row must be read as a line.
 *
 * The tables hold the first bytes of everything in the grammar. Tests compare the two.
 */

import { MAX_SKIPPED_CHARS } from '../bounds.js';
import { NONE, PARAGRAPH, type Structure } from './blocks.js';
import { createFence, type FenceLeaf, isStray, OWN_INFO } from './fences.js';
import { MAX_INDENT } from './line-cursor.js';
import { MAX_HEADING, MAX_NUMBER_DIGITS, MIN_RULE } from './line-marks.js';

/** True if a skipped row holds more than blanks. */
export type Passed = 'text' | 'blank';

const TAB = 9;
const SPACE = 32;
const PLUS = 0x2b;
const EQUALS = 0x3d;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const MIN_FENCE = 3;

const LETTER = 0;
const UNKNOWN = 1;
const DIGIT = 2;
const SIGN = 3;
const HASH = 4;
const FENCE = 5;
const COLON = 6;
const MARK = 7;
const BULLET = 8;
const BRACE = 9;
const PIPE = 10;
/** First bytes of the characters that may be a bullet: `·`, `•`, `✅`, `🤖`. */
const BULLET_BYTES: ReadonlySet<number> = new Set([0xc2, 0xe2, 0xf0]);
/** Enough for a few characters with their variation selectors. */
const MAX_BULLET_BYTES = 16;
/** The kind of row that may begin with a byte, by its value. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (byte < 33 || byte === 127 || '<>'.includes(char)) return UNKNOWN;
  if (byte >= 0x30 && byte <= 0x39) return DIGIT;
  if ('-+*_='.includes(char)) return SIGN;
  if (byte === BACKTICK || byte === TILDE) return FENCE;
  if (char === '{') return BRACE;
  if (char === '|') return PIPE;
  return char === '#' ? HASH : char === ':' ? COLON : byte === 0xef ? MARK : BULLET_BYTES.has(byte) ? BULLET : LETTER;
});
const COLON_BYTE = 0x3a;
const TYPE_BYTES = Uint8Array.from('"type":"', (char) => char.charCodeAt(0));
/** Matches bytes that begin every name similar to the info string of a message block (see hints.ts). */
const NEAR_BYTES = Uint8Array.from(OWN_INFO.slice(0, 'orchestrat'.length), (char) => char.charCodeAt(0));

export function isOpen({ containers, leaf }: Structure): boolean {
  if (containers.length > 0) return false;
  return leaf === PARAGRAPH || leaf === NONE || (leaf.kind === 'fence' ? !leaf.isOwn : leaf.kind !== 'html');
}

/** Skips a whole row. */
export function passRow(structure: Structure, bytes: Uint8Array, start: number, end: number): Passed | null {
  const { leaf } = structure;
  if (leaf.kind === 'fence') return passCode(structure, leaf, bytes, start, end);
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  if (at === end) {
    passBlank(structure);
    return 'blank';
  }
  return passText(structure, bytes, at - start, at, end, true) ? 'text' : null;
}

/**
 * Skips the beginning of a row that continues.
 * @returns True if the beginning was enough: the row holds text, and is skipped.
 */
export function passHead(structure: Structure, bytes: Uint8Array): boolean {
  if (structure.leaf.kind === 'fence') return false;
  let at = 0;
  while (at < bytes.length && bytes[at] === SPACE) at++;
  return at < bytes.length && passText(structure, bytes, at, at, bytes.length, false);
}

/** Skips a row without anything visible, while no fence is open. */
export function passBlank(structure: Structure): void {
  structure.leaf = NONE;
}

/**
 * Skips a row that begins with this many blanks, while no fence is open.
 *
 * @param at Index of its first byte that is not a blank.
 * @param end End of the consecutive bytes. Behind them is the end of the row if it `isWhole`, or bytes that cannot be
 *   seen.
 * @returns False if the row must be read.
 */
export function passText(
  structure: Structure,
  bytes: Uint8Array,
  indent: number,
  at: number,
  end: number,
  isWhole: boolean,
): boolean {
  const kind = KIND[bytes[at] as number]; // within bounds
  if (indent > MAX_INDENT) return bytes[at] !== TAB;
  if (kind === UNKNOWN) return false;
  if (kind === BULLET) {
    if (mayMark(bytes, at, end, isWhole) || isCorner(bytes, at)) return false;
  } else if (kind === BRACE) {
    if (mayBeBlock(bytes, at, end, isWhole)) return false;
  } else if (kind === PIPE) {
    if (!isWhole || mayHoldMarker(bytes, at, end)) return false;
  } else if (kind !== LETTER) {
    //  ***   **bold**   1.   ```ts   ##
    //     ^    ^         ^      ^      ^   decides
    const after = kind === DIGIT ? numberEnd(bytes, at, end) : runEnd(bytes, at, end);
    const isLast = after === end;
    if (isLast && !isWhole) return false;
    const isBare = isLast || isBlank(bytes[after]);
    if (kind === DIGIT && !isLast && isNumberSign(bytes[after])) return false;
    if (kind === SIGN && isBare) {
      if (!isWhole || !isRule(bytes, at, end)) return false;
      structure.leaf = NONE;
      return true;
    }
    if (kind === COLON && isLetterO(bytes[at + 1])) return false;
    //  **:ORCHESTRATOR: …
    //    ^ after
    if (bytes[after] === COLON_BYTE && (after + 1 < end ? isLetterO(bytes[after + 1]) : !isWhole)) return false;
    if (kind === MARK && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) return false;
    if (kind === HASH && isBare && after - at <= MAX_HEADING) {
      if (!isWhole || mayHoldMarker(bytes, after, end)) return false;
      structure.leaf = NONE;
      return true;
    }
    if (kind === FENCE && after - at >= MIN_FENCE) {
      const fence = isWhole ? foreignFence(bytes, indent, at, after, end) : null;
      if (fence !== 'text') {
        if (fence) structure.leaf = fence;
        return fence !== null;
      }
    }
  }
  if (structure.leaf !== PARAGRAPH) structure.leaf = PARAGRAPH;
  return true;
}

/** @returns `text` if the info string contains a backtick. Null if the fence may be a message block. */
function foreignFence(
  bytes: Uint8Array,
  indent: number,
  at: number,
  after: number,
  end: number,
): FenceLeaf | 'text' | null {
  const isBackticks = bytes[at] === BACKTICK;
  if (isBackticks) for (let next = after; next < end; next++) if (bytes[next] === BACKTICK) return 'text';
  let word = after;
  while (word < end && isBlank(bytes[word])) word++;
  if (isNear(bytes, word)) return null;
  return createFence(isBackticks ? '`' : '~', after - at, indent, false);
}

/** True if the name is that of a message block, or similar to it (a hint). The case of letters is ignored. */
function isNear(bytes: Uint8Array, at: number): boolean {
  if (at + NEAR_BYTES.length > bytes.length) return false;
  return NEAR_BYTES.every((byte, index) => ((bytes[at + index] as number) | 0x20) === byte); // within bounds
}

/**
 * True if a row that begins with a sign may contain a marker after it.
 *
 *     • :ORCHESTRATOR: …
 *      ^ after
 */
function mayMark(bytes: Uint8Array, at: number, end: number, isWhole: boolean): boolean {
  const last = Math.min(end, at + MAX_BULLET_BYTES);
  let after = at;
  while (after < last && (bytes[after] as number) >= 0x80) after++; // within bounds
  if (after < end && !isBlank(bytes[after])) return false;
  while (after < end && isBlank(bytes[after])) after++;
  if (after === end) return !isWhole;
  return bytes[after] === COLON_BYTE && (after + 1 < end ? isLetterO(bytes[after + 1]) : !isWhole);
}

/** True if a heading or a row of a table may hold a marker. */
function mayHoldMarker(bytes: Uint8Array, at: number, end: number): boolean {
  for (
    let colon = bytes.indexOf(COLON_BYTE, at);
    colon !== -1 && colon < end;
    colon = bytes.indexOf(COLON_BYTE, colon + 1)
  )
    if (isLetterO(bytes[colon + 1])) return true;
  return false;
}

/** True for a brace alone, or before `"type": "` and a capital letter: it may begin a block without a fence. */
function mayBeBlock(bytes: Uint8Array, brace: number, end: number, isWhole: boolean): boolean {
  let at = brace + 1;
  for (const [index, byte] of TYPE_BYTES.entries()) {
    while (at < end && isBlank(bytes[at])) at++;
    if (at === end) return !isWhole || index === 0;
    if (bytes[at++] !== byte) return false;
  }
  const first = bytes[at] ?? 0;
  return at < end ? first >= 0x41 && first <= 0x5a : !isWhole;
}

/** True for the upper left corner of a box: `┌`, `┏`, `╔`, `╭`. */
function isCorner(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0xe2) return false;
  const [row, column] = [bytes[at + 1], bytes[at + 2]];
  return row === 0x94 ? column === 0x8c || column === 0x8f : row === 0x95 && (column === 0x94 || column === 0xad);
}

const isLetterO = (byte: number | undefined): boolean => byte === 0x4f || byte === 0x6f;

/**
 * Skips a row inside foreign code. The row may close the fence. Otherwise its characters are added to those of the
 * fence. Returns null if the grammar must read the row, for example after MAX_SKIPPED_CHARS.
 */
function passCode(
  structure: Structure,
  fence: FenceLeaf,
  bytes: Uint8Array,
  start: number,
  end: number,
): Passed | null {
  if (fence.isSkipped ? fence.chars > MAX_SKIPPED_CHARS : isStray(fence)) return null;
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  const indent = at - start;
  while (at < end && isBlank(bytes[at])) at++;
  const isTabbed = at - start > indent;
  if (isTabbed && fence.indent > 0) return null;
  if (at < end && (bytes[at] === BACKTICK || bytes[at] === TILDE)) {
    if (isTabbed || fence.isSkipped) return null;
    if (indent <= MAX_INDENT && closes(fence, bytes, at, end)) {
      structure.leaf = NONE;
      return 'text';
    }
  }
  // The limit counts characters, so only ASCII rows are skipped: they have as many characters as bytes.
  for (let next = at; next < end; next++) if ((bytes[next] as number) >= 0x80) return null; // within bounds
  fence.lines++;
  fence.chars += end - start - Math.min(indent, fence.indent) + 1;
  return at < end ? 'text' : 'blank';
}

function closes(fence: FenceLeaf, bytes: Uint8Array, at: number, end: number): boolean {
  if (bytes[at] !== (fence.char === '`' ? BACKTICK : TILDE)) return false;
  let after = runEnd(bytes, at, end);
  if (after - at < fence.length) return false;
  while (after < end && isBlank(bytes[after])) after++;
  return after === end;
}

/** `***`, `- - -`. Below a paragraph, `---` is its underline, which ends it as well. */
function isRule(bytes: Uint8Array, at: number, end: number): boolean {
  const first = bytes[at];
  if (first === PLUS || first === EQUALS) return false;
  let count = 0;
  for (let next = at; next < end; next++) {
    if (bytes[next] === first) count++;
    else if (!isBlank(bytes[next])) return false;
  }
  return count >= MIN_RULE;
}

function runEnd(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  let after = at + 1;
  while (after < end && bytes[after] === first) after++;
  return after;
}

/** Returns the index after a number. A number that is too long does not begin a list item. */
function numberEnd(bytes: Uint8Array, at: number, end: number): number {
  const last = Math.min(end, at + MAX_NUMBER_DIGITS + 1);
  let after = at + 1;
  while (after < last && KIND[bytes[after] as number] === DIGIT) after++; // within bounds
  return after;
}

const isNumberSign = (byte: number | undefined): boolean => byte === 0x2e || byte === 0x29;

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

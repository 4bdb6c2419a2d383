/**
 * Estimates the time that an emulator needs for sequences that touch the whole screen. Such a sequence has few bytes,
 * so the number of bytes does not show its cost:
 *
 *     ESC c          reset               CSI 2 J      erase             CSI ? 1049 h    the other screen
 *     ESC # 8        alignment pattern   CSI 9 S      move rows         CSI 999 b       repeat a character
 *
 * In:   output, cut anywhere; the number of cells of the screen.
 * Out:  milliseconds.
 *
 * Text and other sequences count 0, because their cost is bounded by their bytes. So do the modes that programs set
 * around each frame, such as CSI ? 25 l and CSI ? 2026 h.
 */
import { CSI, ESC } from '../bytes.js';

/** Measured with the pinned xterm.js: 3 to 7 ns for each cell. */
const CELL_MS = 5e-6;
/** CSI b (REP) writes every cell like a printed character. */
const REPEATING = 10;
const LEAD_C1 = 0xc2;
const CSI_C1 = 0x9b;
const WHOLE = new Set([...'JLMST'].map((final) => final.charCodeAt(0)));
const REPEAT = 'b'.charCodeAt(0);
const SET = 'h'.charCodeAt(0);
const RESET = 'l'.charCodeAt(0);
const QUESTION = 0x3f;
const FIRST_FINAL = 0x40;
const SEMICOLON = 0x3b;
/** The private modes that switch and clear a screen. */
const SWITCHES: ReadonlySet<number> = new Set([47, 1047, 1049]);

/**
 * Output is emulated in pieces that take about PIECE_MS. A piece has at least MIN_PIECE_BYTES, even if these take
 * longer.
 */
const PIECE_MS = 1;
const MIN_PIECE_BYTES = 8;

/**
 * Returns how many bytes of the output make one piece: as many as take PIECE_MS by the estimate.
 *
 * @param cells  Number of cells of the screen.
 */
export function pieceOf(bytes: Uint8Array, cells: number): number {
  const ms = emulationMs(bytes, cells);
  return ms <= PIECE_MS ? bytes.length : Math.max(MIN_PIECE_BYTES, Math.floor((bytes.length * PIECE_MS) / ms));
}

/** @param cells  Number of cells of the screen. */
export function emulationMs(bytes: Uint8Array, cells: number): number {
  const own = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let screens = 0;
  for (let at = own.indexOf(ESC); at >= 0; at = own.indexOf(ESC, at + 1)) screens += screensOf(own, at + 1);
  for (let at = own.indexOf(LEAD_C1); at >= 0; at = own.indexOf(LEAD_C1, at + 1))
    if (own[at + 1] === CSI_C1) screens += screensOfControl(own, at + 2);
  return screens * cells * CELL_MS;
}

/** Returns how many whole screens the sequence touches. An incomplete one counts as one. */
function screensOf(bytes: Uint8Array, at: number): number {
  const second = bytes[at];
  if (second === CSI) return screensOfControl(bytes, at + 1);
  // RIS, DECALN, and the end of the output
  return second === undefined || second === 0x63 || second === 0x23 ? 1 : 0;
}

function screensOfControl(bytes: Uint8Array, from: number): number {
  let at = from;
  let byte = bytes[at];
  // Most sequences have only numbers before their final byte.
  while (byte !== undefined && byte >= 0x30 && byte <= SEMICOLON) byte = bytes[++at];
  if (byte !== undefined && byte >= FIRST_FINAL) return byte === REPEAT ? REPEATING : WHOLE.has(byte) ? 1 : 0;
  at = from;
  byte = bytes[at];
  let isPrivate = false;
  let hasIntermediate = false;
  let number = 0;
  let switches = 0;
  // A control character inside a sequence acts at once, and the sequence continues.
  while (byte !== undefined && byte < FIRST_FINAL && byte !== ESC) {
    if (byte === QUESTION) isPrivate = true;
    else if (byte >= 0x30 && byte <= 0x39) number = number * 10 + byte - 0x30;
    else if (byte === SEMICOLON) {
      if (SWITCHES.has(number)) switches++;
      number = 0;
    } else if (byte >= 0x20 && byte < 0x30) hasIntermediate = true;
    byte = bytes[++at];
  }
  if (byte === REPEAT) return REPEATING;
  // With an intermediate byte, the sequence may move columns or fill rectangles.
  if (byte === undefined || WHOLE.has(byte) || hasIntermediate) return 1;
  if (!isPrivate || (byte !== SET && byte !== RESET)) return 0;
  return SWITCHES.has(number) ? switches + 1 : switches;
}

/**
 * Input frame: recognizes a program's input line by its frame and its prompt. Pure.
 *
 *     ────────────────     ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄     ╭──────────────╮   above
 *     > postgres            > postgres          │ > postgres   │   prefix
 *     ────────────────     ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀     ╰──────────────╯   below
 */
import { skeleton } from './significant.js';

/** The characters around a typed text, as `skeleton` returns them. */
export interface Surroundings {
  /** The words before the text in its first row. */
  readonly prefix: string;
  /** The row above it, and the next row below it that is not empty. */
  readonly above: string;
  readonly below: string;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** Matches the right side of an input line's frame. */
const FRAME_SIDE = /\s[│┃║|]$/u;
/** Matches a border of an input line's frame. */
export const FRAME = /[\u2500-\u257f▀▁▂▄▔_]{6}/u;
/** Matches a border's characters except the first one. */
const FRAME_REST = /([\u2500-\u257f▀▁▂▄▔_])\1{5,}/gu;

/**
 * True for the same surroundings, with the lower border of the input line's frame. Enter may have made the frame
 * taller. A program may repaint the frame with another width, because the terminal's size has changed.
 */
export function isInFrame(place: Surroundings, each: Surroundings, rows: readonly string[]): boolean {
  if (!FRAME.test(place.below) || each.prefix !== place.prefix) return false;
  if (each.above === place.above && each.below === place.below) return true;
  return FRAME.test(place.above) && isLineLike(place, rows, each.firstRow);
}

/** True if a row is the first of an input line with the same prompt in the same frame, of any width and height. */
export function isLineLike(place: Surroundings, rows: readonly string[], y: number): boolean {
  const above = rows[y - 1] ?? '';
  if (!FRAME.test(above) || frameOf(above) !== frameOf(place.above)) return false;
  if (FRAME.test(rows[y] ?? '') || !skeleton(rows[y] ?? '').startsWith(place.prefix)) return false;
  const end = rows.slice(y + 1).find((row) => FRAME.test(row)) ?? '';
  return frameOf(end) === frameOf(place.below);
}

/** Returns a border without its width. */
const frameOf = (row: string): string => skeleton(row).replace(FRAME_REST, '$1');

/** True if Enter added a line to the same frame. The program shows its prompt in every line. */
export function isAboveEmptyLines(place: Surroundings, each: Surroundings, rows: readonly string[]): boolean {
  if (!FRAME.test(place.above) || !FRAME.test(place.below) || place.prefix === '') return false;
  if (each.prefix !== place.prefix || frameOf(each.above) !== frameOf(place.above)) return false;
  const lines = rows.slice(each.lastRow + 1).map((row) => skeleton(row).replace(FRAME_SIDE, ''));
  const end = lines.findIndex((line) => line !== place.prefix);
  return end > 0 && frameOf(lines[end] ?? '') === frameOf(place.below);
}

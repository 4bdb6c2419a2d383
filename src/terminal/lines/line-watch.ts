/**
 * Line watch: finds output that can only have printed lines. A screen can then be made from the end of that output.
 *
 * In:   output in order, cut anywhere (`take`).
 * Out:  the kind of each part: lines, painting or asking; and places from which a screen can be made
 *       (`restorePointFor`).
 *
 *     lines      text, line ends, and sequences that stay within their row or set a state that the last one decides:
 *                colours, erasing in the row, moves along it, titles, links, a few modes
 *     painting   anything else; no place is known after it until more lines came
 *     asking     sequences to which the terminal may have to reply, or that are unknown: they must be emulated at once.
 *                A query whose reply does not depend on the screen's content is reported instead (`fixedQueries`)
 *
 * A terminal that has printed only lines for a while shows the last of them. It can therefore be made from a terminal
 * at such a point (its cursor may be anywhere) and the bytes after it, with the states of that point. Screen and
 * scrollback are equal as soon as enough line ends have pushed out everything that was there before (`linesToFill`).
 */

import { CR, LF } from '../bytes.js';
import { type Kind, LineSequences, type Seen } from './line-sequences.js';

type Verdict = Kind;

export interface RestorePoint {
  /** The position after a return and a line feed. */
  readonly position: number;
  /** Sequences that bring a terminal to the states of that point, at the beginning of a row. */
  readonly before: string;
}

interface KeptPoint extends RestorePoint {
  /** Number of line feeds before the point. */
  readonly lines: number;
}

/**
 * Minimum number of lines between two points. Few points are enough: a slow session needs no more of them than a flood.
 */
const LINES_APART = 64;
const NOTHING = Buffer.alloc(0);

/** Returns the number of line feeds after which everything on such a terminal and in its scrollback is gone. */
export function linesToFill(rows: number, scrollbackLines: number): number {
  return 2 * rows + scrollbackLines;
}

/** Watches the output of one session. */
export class LineWatch {
  readonly #sequences: LineSequences;
  /** The beginning of an incomplete sequence or character. */
  #cut: Buffer = NOTHING;
  #lines = 0;
  /** The points in the order of the output; none is before `#painted`. */
  #points: KeptPoint[] = [];
  #painted = 0;

  /** @param isFromStart  True if the output is that of a new terminal, so that its modes are known. */
  constructor(isFromStart = false) {
    this.#sequences = new LineSequences(isFromStart);
  }

  /** Position at which the last part that was not a line ended; the beginning if there was none. */
  get painted(): number {
    return this.#painted;
  }

  /** Queries in the last part that have to be answered, although the part need not be emulated. */
  get fixedQueries(): readonly string[] {
    return this.#sequences.fixedQueries;
  }

  /** Returns a mode as the output has set it; null if the output has not. */
  mode(name: string): boolean | null {
    return this.#sequences.mode(name);
  }

  /** Reports a change that is not in the output: a new size of the terminal. */
  break(position: number): void {
    this.#painted = position;
    this.#points = [];
  }

  /** Continues after an unknown sequence, with the state of a terminal that has read all this output. */
  goOn(terminal: Seen): void {
    this.#sequences.goOn(terminal);
  }

  /** @param position  Journal position of the first byte. */
  take(output: Uint8Array, position: number): Verdict {
    const own = Buffer.isBuffer(output) ? output : Buffer.from(output.buffer, output.byteOffset, output.byteLength);
    const bytes = this.#cut.length > 0 ? Buffer.concat([this.#cut, own]) : own;
    const end = position + own.length;
    const base = end - bytes.length;
    const point = restorePointIn(bytes);
    const { kind, cut, statesAtPoint } = this.#sequences.read(bytes, point);
    this.#cut = cut < bytes.length ? Buffer.from(bytes.subarray(cut)) : NOTHING;
    if (kind !== 'lines') {
      this.break(end);
      this.#sequences.forget();
      return kind;
    }
    const lines = count(bytes, LF);
    const last = this.#points.at(-1);
    if (point > 0 && this.#lines + lines - (last?.lines ?? Number.NEGATIVE_INFINITY) >= LINES_APART) {
      const behind = count(bytes.subarray(point), LF);
      const before = statesAtPoint === last?.before ? last.before : statesAtPoint; // the same string, kept once
      this.#points.push({ position: base + point, before, lines: this.#lines + lines - behind });
    }
    this.#lines += lines;
    return kind;
  }

  /**
   * Returns the newest point that is followed by more than this number of line feeds. Older points are forgotten, so
   * the number may only change at a `break`.
   */
  restorePointFor(lines: number): RestorePoint | null {
    const at = this.#points.findLastIndex((point) => this.#lines - point.lines > lines);
    if (at > 0) this.#points.splice(0, at);
    return at < 0 ? null : (this.#points[0] ?? null);
  }
}

/** Returns the index after the last return and line feed; 0 if there are none. */
function restorePointIn(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(LF); at > 0; at = bytes.lastIndexOf(LF, at - 1))
    if (bytes[at - 1] === CR) return at + 1;
  return 0;
}

function count(bytes: Buffer, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}

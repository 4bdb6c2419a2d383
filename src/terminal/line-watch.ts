/**
 * Line watch: which output can only have printed lines, so that a screen of it can be made from its end alone.
 *
 * In:   output in order, cut anywhere (`take`).
 * Out:  of each part whether it printed lines, painted, or asked the terminal something; and places to begin at (`placeFor`).
 *
 *     lines      text, line ends, and what stays within its row or is a state that the last one decides: colours, erasing in the row,
 *                moves along it, titles, links, a few modes
 *     painting   anything else; behind it no place is known until more lines came
 *     asking     what the terminal may have to answer, or what is not understood: it must be emulated at once; a query whose answer
 *                is always the same is told instead (`fixedQueries`)
 *
 * A terminal that printed lines only from some moment on shows what was printed last. Given one of that moment (its cursor may stand
 * anywhere), the bytes from a place on, with what the place says before them, bring it to the same screen and scrollback, as soon as so
 * many line ends have come since that all which stood there before has left (`linesToFill`).
 */
import { type Kind, type Seen, Sequences } from './line-sequences.js';

export type Verdict = Kind;

export interface Place {
  /** Behind a return and a line feed. */
  readonly position: number;
  /** Brings the terminal to the states of that place, at the head of a row. */
  readonly before: string;
}

interface KeptPlace extends Place {
  /** Line feeds before it. */
  readonly lines: number;
}

/** So many lines stand between two places at least: few places are enough, and a slow session needs no more of them than a flood. */
const LINES_APART = 64;
const LF = 10;
const CR = 13;
const NOTHING = Buffer.alloc(0);

/** All that stood on such a terminal, above the screen too, is gone after so many line feeds. */
export function linesToFill(rows: number, scrollbackLines: number): number {
  return 2 * rows + scrollbackLines;
}

export class LineWatch {
  readonly #sequences = new Sequences();
  /** The beginning of a sequence, or of a character, whose end has not come. */
  #cut: Buffer = NOTHING;
  #lines = 0;
  /** In the order of the output, none before `#painted`. */
  #places: KeptPlace[] = [];
  #painted = 0;

  /** Where the last that was no line ended; the beginning if there was none. */
  get painted(): number {
    return this.#painted;
  }

  /** Of the last part: what has to be answered, though it need not be emulated. */
  get fixedQueries(): readonly string[] {
    return this.#sequences.fixedQueries;
  }

  /** A mode as the output has left it; null if it said nothing of it. */
  mode(name: string): boolean | null {
    return this.#sequences.mode(name);
  }

  /** What no output says has changed: the terminal's size. */
  break(position: number): void {
    this.#painted = position;
    this.#places = [];
  }

  /** What was not understood, a terminal that has had all this output has: once it stands between two sequences, that is over. */
  goOn(terminal: Seen): void {
    this.#sequences.goOn(terminal);
  }

  /** @param position  Of the first byte. */
  take(output: Uint8Array, position: number): Verdict {
    const own = Buffer.isBuffer(output) ? output : Buffer.from(output.buffer, output.byteOffset, output.byteLength);
    const bytes = this.#cut.length > 0 ? Buffer.concat([this.#cut, own]) : own;
    const end = position + own.length;
    const base = end - bytes.length;
    const place = placeIn(bytes);
    const { kind, cut, statesAtPlace } = this.#sequences.read(bytes, place);
    this.#cut = cut < bytes.length ? Buffer.from(bytes.subarray(cut)) : NOTHING;
    if (kind !== 'lines') {
      this.break(end);
      this.#sequences.forget();
      return kind;
    }
    const lines = count(bytes, LF);
    const last = this.#places.at(-1);
    if (place > 0 && this.#lines + lines - (last?.lines ?? Number.NEGATIVE_INFINITY) >= LINES_APART) {
      const behind = count(bytes.subarray(place), LF);
      const before = statesAtPlace === last?.before ? last.before : statesAtPlace; // the same string, kept once
      this.#places.push({ position: base + place, before, lines: this.#lines + lines - behind });
    }
    this.#lines += lines;
    return kind;
  }

  /**
   * The newest place that more than so many line feeds have followed. Older ones are forgotten: the number may only change at a `break`.
   */
  placeFor(lines: number): Place | null {
    const at = this.#places.findLastIndex((place) => this.#lines - place.lines > lines);
    if (at > 0) this.#places.splice(0, at);
    return at < 0 ? null : (this.#places[0] ?? null);
  }
}

/** The index behind the last return and line feed; 0 if there are none. */
function placeIn(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(LF); at > 0; at = bytes.lastIndexOf(LF, at - 1))
    if (bytes[at - 1] === CR) return at + 1;
  return 0;
}

function count(bytes: Buffer, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}

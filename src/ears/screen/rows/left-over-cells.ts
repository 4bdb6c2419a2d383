/**
 * Left-over cells: characters that a program has left on the screen, because it and the terminal count the columns of a
 * row differently. They stand behind a gap in the rows that are painted later, until the program writes those cells.
 *
 *     "question": "ทำเสร็จแล้ว? (5)"                 a row of unsure width
 *     "type": "QUESTION",               จ    ?      another row, many looks later
 *
 * Two looks at such a row would differ. Its place among other rows is therefore found without these cells.
 *
 * In:   rows of unsure width (`add`).
 * Out:  the text of a row without such cells (`without`). The reading of messages still sees them (wrapped-json.ts).
 */
import type { PlainRow } from './rows.js';
import { isUnsure } from './unsure-width.js';

/** Number of different characters that are remembered. */
const MAX_CELLS = 1024;
/** Up to three characters behind a gap of at least four columns, and more of them behind further gaps. */
const TAIL = /(?<!\s)\s{4,}\S{1,8}(?:\s{2,}\S{1,8})*$/u;
const MAX_PART_CHARS = 3;
const NO_WIDTH = /\p{M}|\p{Cf}/gu;

export class LeftOverCells {
  readonly #cells: Set<string>;

  constructor(state: readonly string[] = []) {
    this.#cells = new Set(state);
  }

  /** Returns the state for a checkpoint. */
  state(): readonly string[] {
    return [...this.#cells];
  }

  /**
   * Remembers the characters of a row, if its width is unsure.
   *
   * @returns True if some of them were not known.
   */
  add(row: PlainRow): boolean {
    if (!isUnsure(row)) return false;
    const before = this.#cells.size;
    for (const char of charsOf(row.squashed)) if (this.#cells.size < MAX_CELLS) this.#cells.add(char);
    return this.#cells.size > before;
  }

  /** Returns the text before the left-over cells at its end; the whole text if there are none. */
  without(text: string): string {
    if (this.#cells.size === 0) return text;
    const tail = TAIL.exec(text);
    if (!tail) return text;
    const isCell = (part: string): boolean => {
      const chars = charsOf(part);
      return chars.length <= MAX_PART_CHARS && chars.every((char) => this.#cells.has(char));
    };
    return tail[0].trim().split(/\s+/).every(isCell) ? text.slice(0, tail.index).trimEnd() : text;
  }
}

const charsOf = (text: string): string[] => Array.from(text.replace(NO_WIDTH, ''));

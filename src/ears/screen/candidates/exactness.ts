/**
 * Exactness: may the text of a program without an adapter count as exact? orchd does not know how such a program draws.
 *
 *     a  b   →  a b                    some renderers shorten runs of blanks within a row
 *     👩‍🚒 is here    rest of          a program that counts columns differently leaves cells of older rows behind:
 *     don't askdagain                  they may stand in any row that it paints later
 *
 * The text itself shows neither defect. A text with a blank counts as exact only once the program has shown a run of
 * blanks within a string. No text counts as exact after the program has shown characters whose width is unsure.
 *
 * In:   the screen's new rows (`look`).
 * Out:  candidates, as not exact if the program's text is not.
 */

import { isUnsure, type PlainRow, type Rows } from '../rows/index.js';
import type { Candidate } from './candidates.js';

const STRING = /"(?:[^"\\]|\\.)*"/g;
const RUN = '  ';
/** Matches the line between a text and a side panel. */
const LINE = /\s{2}[│┃║|▌▐█▓▒░╎┆┊]/u;

const NEAR_ROWS = 4;

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface ExactnessState {
  readonly keepsBlanks: boolean;
  readonly isShifted: boolean;
}

export class Exactness {
  /** True if the program has shown a run of blanks. */
  #keepsBlanks: boolean;
  /** True if the program has shown characters whose width is uncertain. */
  #isShifted: boolean;

  constructor(state?: ExactnessState) {
    this.#keepsBlanks = state?.keepsBlanks ?? false;
    this.#isShifted = state?.isShifted ?? false;
  }

  state(): ExactnessState {
    return { keepsBlanks: this.#keepsBlanks, isShifted: this.#isShifted };
  }

  /** @param before  The rows of the look before, of which most are in `screen`, too. */
  look(screen: readonly PlainRow[], before: readonly PlainRow[]): void {
    if (this.#isShifted) return;
    this.#isShifted = screen.some((row, at) => row !== before[at] && isUnsure(row));
  }

  /**
   * True if words of a side panel may stand in a text: it contains a line like that between the two, and the program
   * may have drawn that line in another column of some rows. The program draws lines in other rows near the text, too.
   */
  mayHavePanel({ form, text, row, end }: Candidate, rows: Rows): boolean {
    if (!this.#isShifted || form === 'envelope' || !LINE.test(text)) return false;
    const own = rows.slice(row, end);
    if (own.filter(hasLine).length * 2 > own.length) return true;
    return [...rows.slice(Math.max(0, row - NEAR_ROWS), row), ...rows.slice(end, end + NEAR_ROWS)].some(hasLine);
  }

  /** Returns the candidate; as not exact if cells of older rows may stand in it. */
  judgeCells(candidate: Candidate): Candidate {
    return this.#isShifted && candidate.isExact ? { ...candidate, isExact: false } : candidate;
  }

  /** Returns the candidate; as not exact if its blanks may be fewer than the program was given. */
  judgeBlanks(candidate: Candidate): Candidate {
    // A marker and an envelope are never exact.
    if (this.#keepsBlanks || candidate.form !== 'fence' || !candidate.isExact) return candidate;
    const strings = candidate.text.match(STRING) ?? [];
    this.#keepsBlanks = strings.some((text) => text.includes(RUN));
    const isSure = this.#keepsBlanks || !strings.some((text) => text.includes(' '));
    return isSure ? candidate : { ...candidate, isExact: false };
  }
}

function hasLine(row: PlainRow | undefined): boolean {
  if (!row) return false;
  return row.isClosed === true || row.isBoxed || (row.frame ?? -1) >= 0 || LINE.test(row.text);
}

/**
 * Submission evidence: determines if a program did something with a text that has left its input line. Pure.
 *
 * A program may also have thrown the text away and show a notice, or nothing. An empty input line is therefore no
 * evidence. Evidence is one of these:
 *
 *     the text stands in a new row            a chat shows what was said
 *     several new rows with words             it has replied
 *     new rows that go on changing            it works, or is replying
 *     most of the rows from before are gone   it shows another screen
 *
 * Rows that differ only in clocks, counters and spinners are not new.
 */
import { holdsText, newRows, type Picture, skeleton } from './submission.js';

/** Minimum number of new rows with words that count as a reply. A mere notice has one or two. */
const MANY_ROWS = 3;
/** A notice that appears changes the rows once. */
const MANY_CHANGES = 2;
const WORDS = /[\p{L}\p{N}]/u;

/** Collects evidence that a program did something with one submitted text. */
export class SubmissionEvidence {
  readonly #text: string;
  readonly #before: Picture;
  #last: string | null = null;
  #changes = 0;

  /** @param before  The screen before the text was typed. */
  constructor(text: string, before: Picture) {
    this.#text = text;
    this.#before = before;
  }

  /** To be called repeatedly while the text is not in the input line. Returns true once there is evidence. */
  look({ rows }: Pick<Picture, 'rows'>): boolean {
    const fresh = freshRows(this.#before.rows, rows);
    const shown = fresh.join('\n');
    if (this.#last !== null && this.#last !== shown && shown !== '') this.#changes++;
    this.#last = shown;
    if (fresh.length >= MANY_ROWS || this.#changes >= MANY_CHANGES || holdsText(this.#text, fresh)) return true;
    const old = this.#before.rows.filter((row) => WORDS.test(row)).length;
    return old > 1 && freshRows(rows, this.#before.rows).length > old / 2;
  }
}

/** Returns the rows of `now` with words that are not among the rows of `before`. */
function freshRows(before: readonly string[], now: readonly string[]): string[] {
  const isNew = newRows(before.map(skeleton), now.map(skeleton));
  return now.filter((row, y) => isNew[y] && WORDS.test(row));
}

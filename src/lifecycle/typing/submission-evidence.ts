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
 * Rows that differ only in clocks, counters and spinners are not new. Rows that came while the text was typed, and
 * stay, or that came while the question was open (own-output.ts), show that the program prints by itself. Then only the
 * text in a new row is evidence. The other evidence counts once the rows do not fit the program's own rhythm
 * (own-rhythm.ts).
 */
import { OwnRhythm } from './own-rhythm.js';
import { significant, skeleton } from './significant.js';
import { holdsText, newRows, type Picture, type TypedPosition } from './submission.js';

/** Minimum number of new rows with words that count as a reply. A mere notice has one or two. */
const MANY_ROWS = 3;
/** A notice that appears changes the rows once. */
const MANY_CHANGES = 2;
/** The output of a program that prints by itself may contain a text of fewer characters by chance. */
const MIN_SHOWN_CHARS = 5;
const WORDS = /[\p{L}\p{N}]/u;

/** Collects evidence that a program did something with one submitted text. */
export class SubmissionEvidence {
  readonly #text: string;
  readonly #before: Picture;
  #last: string | null = null;
  #changes = 0;
  /** The new rows beside the text, when it was seen last before Enter, as `skeleton` returns them. */
  #early: ReadonlySet<string> = new Set();
  #printsByItself: boolean;
  readonly #rhythm: OwnRhythm;
  #noted = '';

  /**
   * @param before  The screen before the text was typed.
   * @param printsByItself  True if the program was seen to print by itself before that.
   * @param printedAt  When the program printed last before that.
   */
  constructor(text: string, before: Picture, printsByItself = false, printedAt = Number.NEGATIVE_INFINITY) {
    this.#text = text;
    this.#before = before;
    this.#printsByItself = printsByItself;
    this.#rhythm = new OwnRhythm(printedAt);
  }

  /** To be called before Enter, when the text is seen at its place. */
  lookBeforeEnter({ rows }: Pick<Picture, 'rows'>, { firstRow, lastRow }: TypedPosition): void {
    const beside = rows.map((row, y) => (y < firstRow || y > lastRow ? row : ''));
    this.#early = new Set(freshRows(this.#before.rows, beside).map(skeleton));
  }

  /** To be called often while the text is not in the input line. */
  note({ rows }: Pick<Picture, 'rows'>, now: number): void {
    const shown = freshRows(this.#before.rows, rows).map(skeleton).join('\n');
    if (shown !== this.#noted) this.#rhythm.changed(now);
    this.#noted = shown;
  }

  /**
   * To be called repeatedly while the text is not in the input line. Returns true once there is evidence.
   *
   * @param now  The clock of `note` and of `printedAt`.
   */
  look({ rows }: Pick<Picture, 'rows'>, now = 0): boolean {
    const fresh = freshRows(this.#before.rows, rows);
    this.#printsByItself ||= fresh.some((row) => this.#early.has(skeleton(row)));
    if (this.#printsByItself) return significant(this.#text).length >= MIN_SHOWN_CHARS && holdsText(this.#text, fresh);
    const shown = fresh.join('\n');
    if (this.#last !== null && this.#last !== shown && shown !== '') this.#changes++;
    this.#last = shown;
    if (holdsText(this.#text, fresh)) return true;
    if (!this.#rhythm.isReaction(now)) return false;
    if (fresh.length >= MANY_ROWS || this.#changes >= MANY_CHANGES) return true;
    const old = this.#before.rows.filter((row) => WORDS.test(row)).length;
    return old > 1 && freshRows(rows, this.#before.rows).length > old / 2;
  }
}

/** Returns the rows of `now` with words that are not among the rows of `before`. */
export function freshRows(before: readonly string[], now: readonly string[]): string[] {
  const isNew = newRows(before.map(skeleton), now.map(skeleton));
  return now.filter((row, y) => isNew[y] && WORDS.test(row));
}

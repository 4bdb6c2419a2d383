/**
 * Submission evidence: determines if a program did something with a text that has left its input line. Pure.
 *
 * A program may also have thrown the text away and show a notice, or nothing. An empty input line is therefore no
 * evidence. Evidence is one of these:
 *
 *     the text stands in a new row            a chat shows what was said
 *     several new rows with words, in steps   it is replying
 *     new rows that go on changing            it works, or is replying
 *     most of the rows from before are gone   it shows another screen
 *
 * Several rows that all come at once may be a notice. A short text of which only a part was ever seen may have been
 * changed by the program, as by one that takes the first letter for a key. Only the whole text is evidence then.
 *
 * Rows that differ only in clocks, counters and spinners are not new. Rows that came while the text was typed, and
 * stay, or that came while the question was open (own-output.ts), show that the program prints by itself. Then only the
 * text in a new row is evidence. The other evidence counts once the rows do not fit the program's own rhythm
 * (own-rhythm.ts).
 */
import { OwnRhythm } from './own-rhythm.js';
import { significant, skeleton } from './significant.js';
import { holdsText, holdsWholeText, isPart, newRows, type Picture, type TypedPosition } from './submission.js';

/** Minimum number of new rows with words that count as a reply, unless they all came at once. */
const MANY_ROWS = 3;
/** New rows that come within this time of the first ones came at once. */
const AT_ONCE_MS = 250;
/** A notice that appears changes the rows once. */
const MANY_CHANGES = 2;
/** The output of a program that prints by itself may contain a text of fewer characters by chance. */
const MIN_SHOWN_CHARS = 5;
/** Every input line has room for a text of one line and of up to this number of significant characters. */
const MAX_WHOLE_CHARS = 60;
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
  /** When the first new rows came. */
  #begunAt: number | null = null;
  #hasGrown = false;
  /** True once the whole text was seen, false while only a part of it was, null while nothing was. */
  #isSeenWhole: boolean | null = null;

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

  /** To be called whenever the text is seen at its place. */
  found(place: TypedPosition): void {
    this.#isSeenWhole = this.#isSeenWhole === true || !isPart(place, this.#text);
  }

  /** To be called before Enter, when the text is seen at its place. */
  lookBeforeEnter({ rows }: Pick<Picture, 'rows'>, place: TypedPosition): void {
    const { firstRow, lastRow } = place;
    this.found(place);
    const beside = rows.map((row, y) => (y < firstRow || y > lastRow ? row : ''));
    this.#early = new Set(freshRows(this.#before.rows, beside).map(skeleton));
  }

  /** To be called often while the text is not in the input line. */
  note({ rows }: Pick<Picture, 'rows'>, now: number): void {
    const shown = freshRows(this.#before.rows, rows).map(skeleton).join('\n');
    if (shown !== this.#noted) this.#rhythm.changed(now);
    if (shown !== this.#noted && shown !== '') {
      this.#begunAt ??= now;
      this.#hasGrown ||= now - this.#begunAt > AT_ONCE_MS;
    }
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
    if (this.#isSeenWhole === false && this.#isShort) return holdsWholeText(this.#text, fresh);
    if (this.#printsByItself) return significant(this.#text).length >= MIN_SHOWN_CHARS && holdsText(this.#text, fresh);
    const shown = fresh.join('\n');
    if (this.#last !== null && this.#last !== shown && shown !== '') this.#changes++;
    this.#last = shown;
    if (holdsText(this.#text, fresh)) return true;
    if (!this.#rhythm.isReaction(now)) return false;
    if ((this.#hasGrown && fresh.length >= MANY_ROWS) || this.#changes >= MANY_CHANGES) return true;
    const old = this.#before.rows.filter((row) => WORDS.test(row)).length;
    return old > 1 && freshRows(rows, this.#before.rows).length > old / 2;
  }

  get #isShort(): boolean {
    return !this.#text.includes('\n') && significant(this.#text).length <= MAX_WHOLE_CHARS;
  }
}

/** Returns the rows of `now` with words that are not among the rows of `before`. */
export function freshRows(before: readonly string[], now: readonly string[]): string[] {
  const isNew = newRows(before.map(skeleton), now.map(skeleton));
  return now.filter((row, y) => isNew[y] && WORDS.test(row));
}

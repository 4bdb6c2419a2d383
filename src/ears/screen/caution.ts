/**
 * Caution: may a message on the screen of a program without an adapter be reported? orchd does not know how such a
 * program paints, so what is uncertain is not reported, and gives a hint.
 *
 *     before          painted again, the newest first      now
 *       > one           > two                                the message stands below the submitted text, and is old
 *       message         > one
 *                       message
 *
 * - The rows of the message must be those of the screen. The transcript may still have other rows in their place.
 * - A text that was reported before (here once) counts again in three cases. The last two need a program that has shown
 *   new text below old text.
 *
 *       more copies are on the       as many copies as were      below the submitted text, as many
 *       screen than were reported    reported are above it       copies as were reported in this turn
 *                                                                are above it (here none)
 *                                      message
 *         ┌─ screen ───────          ┌─ screen ───────           ┌─ screen ───────
 *         │ message                  │ message  counts           │ > two
 *         │ message  counts          │                           │ message  counts
 *
 * - New text is above old text if an earlier prompt is below the last one. If messages prove it (newest-first.ts), a
 *   text above the last prompt counts if fewer copies of it were reported in this turn than stand below it.
 * - Rows that were painted over the screen do not count as new because of copies above them.
 * - The beginning of a text that was reported is that text, cut by the end of the screen. So is one in an earlier picture,
 *   if the program now shows the whole text.
 *
 * In:   the messages of each look (`look`), turns, and what was reported (`tell`).
 * Out:  if a message is sure (`isSure`).
 */
import { isPart, isSmeared } from './row-texts.js';
import { NO_ROW } from './rows/index.js';

/** A message of the current look. */
interface Copy {
  readonly key: string;
  readonly row: number;
}

interface Told {
  readonly key: string;
  readonly turn: number;
  readonly isGuess: boolean;
  /** True if the program has printed the message as lines. */
  readonly isPrinted?: true;
}

/** What a look shows, by row numbers. */
interface Sight {
  readonly copies: readonly Copy[];
  /** The first row of the screen, and the row of the input that was submitted last; NO_ROW for none. */
  readonly top: number;
  /** The first row of the view: rows above are those of another picture. */
  readonly viewFrom: number;
  /** Rows from here on were painted over the screen and may repeat any rows above. Absent in older checkpoints. */
  readonly paintedFrom?: number;
  readonly promptRow: number;
  /** True if a prompt of an earlier turn stands below that row. */
  readonly isReversed: boolean;
}

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface CautionState {
  readonly told: readonly Told[];
  readonly turn: number;
  readonly isUnordered: boolean;
  /** Absent in older checkpoints. */
  readonly isForward?: boolean;
  /** Absent if false. */
  readonly isNewestFirst?: true;
  readonly sight: Sight;
}

const MAX_TOLD = 512;
/** A text of unsure width is compared by its characters with so many of the texts that were reported last. */
const MAX_SMEARED = 32;
const NOTHING: Sight = { copies: [], top: 0, viewFrom: 0, promptRow: NO_ROW, isReversed: false };

export class Caution {
  #told: readonly Told[];
  #turn: number;
  /** True if the program has shown a newer prompt above an older one. */
  #isUnordered: boolean;
  /** True if the program has shown a newer prompt below old text. */
  #isForward: boolean;
  /** True if the program has proved that it shows its newest text first (newest-first.ts). */
  #isNewestFirst: boolean;
  #sight: Sight;

  constructor(turn: number, state?: CautionState) {
    this.#told = state?.told ?? [];
    this.#turn = state?.turn ?? turn;
    this.#isUnordered = state?.isUnordered ?? false;
    this.#isForward = state?.isForward ?? false;
    this.#isNewestFirst = state?.isNewestFirst ?? false;
    this.#sight = state?.sight ?? NOTHING;
  }

  state(): CautionState {
    const [isUnordered, isForward] = [this.#isUnordered, this.#isForward];
    const newestFirst = this.#isNewestFirst && { isNewestFirst: true as const };
    return { told: this.#told, turn: this.#turn, isUnordered, isForward, ...newestFirst, sight: this.#sight };
  }

  /** @param isEmptied  True if the input empties the conversation. */
  beginTurn(turn: number, isEmptied: boolean): void {
    if (isEmptied) this.#told = [];
    this.#turn = turn;
    this.#sight = { ...this.#sight, promptRow: NO_ROW };
  }

  /** True if the program has shown new text above old text: only what stands on the screen is in order. */
  get isUnordered(): boolean {
    return this.#isUnordered;
  }

  /** True if the program has shown new text below old text. */
  get isForward(): boolean {
    return this.#isForward;
  }

  /** True if the program has proved that it shows its newest text first. */
  get isNewestFirst(): boolean {
    return this.#isNewestFirst;
  }

  /** Called when the program shows new text below old text. */
  sawOrder(): void {
    this.#isForward = true;
  }

  /** Called when the program proves that it shows its newest text first. */
  sawNewestFirst(): void {
    this.#isNewestFirst = true;
  }

  look(sight: Sight): void {
    this.#isUnordered ||= sight.isReversed;
    this.#sight = sight;
  }

  /** Remembers a message that was reported, or that counts as known. */
  tell(key: string, isGuess: boolean): void {
    this.#tell({ key, turn: this.#turn, isGuess });
  }

  /** Remembers a message that was reported when the program printed it as lines. */
  tellPrinted(key: string): void {
    this.#tell({ key, turn: this.#turn, isGuess: false, isPrinted: true });
  }

  wasTold(isLike: (key: string) => boolean): boolean {
    return this.#told.some((told) => isLike(told.key));
  }

  /** True for a message that was reported, and not in this turn. */
  isOfEarlierTurn(key: string): boolean {
    const same = this.#told.filter((told) => told.key === key);
    return same.length > 0 && same.every(({ turn }) => turn !== this.#turn);
  }

  isPrinted(key: string): boolean {
    return this.#told.some((told) => told.isPrinted === true && told.key === key);
  }

  #tell(told: Told): void {
    this.#told = [...this.#told, told].slice(-MAX_TOLD);
  }

  /**
   * True if a message is certainly another one than those that were reported.
   *
   * @param isOrderly  True if the rows that have left the screen are certainly in order.
   * @param growsDown  True if the rows show that new text is below old text.
   */
  isSure(key: string, row: number, isGuess: boolean, isOrderly: boolean, growsDown: boolean): boolean {
    const isLike = (other: string, isOtherGuess: boolean): boolean =>
      other === key || ((isGuess || isOtherGuess) && isPart(other, key));
    const smearedFrom = isGuess ? this.#told.length - MAX_SMEARED : Number.POSITIVE_INFINITY;
    const known = this.#told.filter(
      (told, at) => isLike(told.key, told.isGuess) || (at >= smearedFrom && told.isGuess && isSmeared(told.key, key)),
    );
    const { copies, top, viewFrom, promptRow, paintedFrom = 0 } = this.#sight;
    // The screen may end within a message, or show it before its last words.
    const isBeginningOf = (other: string): boolean => other.length > key.length && other.startsWith(key);
    if (this.#told.some((told) => isBeginningOf(told.key))) return false;
    if (row < viewFrom && copies.some((copy) => copy.row >= viewFrom && isBeginningOf(copy.key))) return false;
    if (known.length === 0) return true;
    if (!isOrderly && row < top) return false;
    const same = copies.filter((copy) => copy.row === row || isLike(copy.key, false));
    const from = Math.min(top, row);
    if (same.filter((copy) => copy.row >= from).length > known.length) return true;
    const inTurn = known.filter(({ turn }) => turn === this.#turn);
    if (this.#isNewestFirst) {
      if (row < top || row >= promptRow) return false;
      return same.filter((copy) => copy.row > row && copy.row < promptRow).length >= inTurn.length;
    }
    if (this.#isUnordered || !(this.#isForward || growsDown)) return false;
    const pictureFrom = row >= paintedFrom ? Math.max(viewFrom, paintedFrom) : viewFrom;
    const above = same.filter((copy) => copy.row < row && copy.row >= pictureFrom);
    if (above.length >= known.length) return true;
    if (promptRow === NO_ROW || row < promptRow) return false;
    return above.filter((copy) => copy.row > promptRow).length >= inTurn.length;
  }
}

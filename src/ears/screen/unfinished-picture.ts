/**
 * Unfinished picture: keeps the look at a screen that the program has not painted to the end, until it is whole.
 *
 * In:   looks (`take`), and that nothing was painted for a while (`complete`).
 * Out:  the look that is read: it begins where the first half-painted look began. Null while the screen is half
 *       painted.
 */
import { type Look, type PlainRow, Tearing, type TearingState } from './rows/index.js';

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface UnfinishedPictureState {
  /** The last look, if the screen was half painted. Absent in checkpoints of older versions, as the next two. */
  readonly torn?: Look | null;
  /** Time of the first look since the screen was whole. */
  readonly tornMs?: number;
  readonly tearing?: TearingState;
}

/** What decides if a screen is whole. */
interface Signs {
  /** True for a program without an adapter: it is not known how its pictures end. */
  readonly needsRest: boolean;
  /** Number of rows pinned at the top, which never move. */
  readonly header: number;
}

/** A program that paints for this time without a pause does not pause between its pictures. */
const MAX_UNRESTED_MS = 1_000;

export class UnfinishedPicture {
  readonly #tearing: Tearing;
  /** The last look, if the screen was half painted then, and the time of the first look since it was whole. */
  #torn: { readonly look: Look; readonly sinceMs: number } | null;

  constructor({ torn, tornMs = 0, tearing }: UnfinishedPictureState = {}) {
    this.#tearing = new Tearing(tearing);
    this.#torn = torn ? { look: torn, sinceMs: tornMs } : null;
  }

  state(): UnfinishedPictureState {
    return { torn: this.#torn?.look ?? null, tornMs: this.#torn?.sinceMs ?? 0, tearing: this.#tearing.state() };
  }

  /** True if the screen was half painted at the last look. */
  get isOpen(): boolean {
    return this.#torn !== null;
  }

  /** True if the end of a picture can be recognized: the program parks its cursor. */
  get hasKnownEnd(): boolean {
    return this.#tearing.parks;
  }

  /** True if the program does not paint from top to bottom. */
  get isUnordered(): boolean {
    return this.#tearing.isUnordered;
  }

  take(look: Look, screen: readonly PlainRow[], { needsRest, header }: Signs): Look | null {
    const { isFramed, isAtRest, isErasing, cursor, timeMs = 0 } = look;
    const whole = this.#torn ? { ...look, since: this.#torn.look.since } : look;
    const sinceMs = this.#torn?.sinceMs ?? timeMs;
    const isEnd = isFramed || (isAtRest === true && needsRest);
    if (isEnd) this.#tearing.begin(screen);
    // Looks within the pictures of a program that never pauses count, too.
    const isUnrested = needsRest && timeMs - sinceMs < MAX_UNRESTED_MS;
    const isHalf = !isEnd && (isUnrested || this.#tearing.take(screen, isErasing ? null : cursor, header));
    this.#torn = isHalf ? { look: whole, sinceMs } : null;
    return isHalf ? null : whole;
  }

  /** Called when the screen counts as whole. Returns the look that is read then, if it was half painted. */
  complete(): Look | null {
    const look = this.#torn?.look ?? null;
    this.#torn = null;
    this.#tearing.settle();
    return look;
  }

  /** Called when the screen has scrolled on, so that it does not follow the pictures before. */
  forget(): void {
    this.#tearing.forget();
  }
}

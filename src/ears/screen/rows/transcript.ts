/**
 * The virtual transcript: the rows that a person would see on an endless screen. It is built from looks at the screen,
 * in order.
 *
 * It is an array of rows and a window on it, which is the screen. A look moves the window (see scroll-shift.ts) and
 * writes its rows there:
 *
 *     rows     0 … … … … … … … … n         scrolled on: the window moves down, rows above it keep their text
 *                      └─ window ─┘        scrolled back: the window moves up, and nothing is new
 *
 * A *picture* is what a program paints after it has erased or overwritten most of the screen. A picture of old rows
 * must not add them a second time, so the window moves to the place where these rows are already:
 *
 *     0  question           0  question  ◄─┐ window      If a frame is taller than the screen, Ink clears
 *     …                     …              │             the screen and prints the whole frame again.
 *     70 ┌ composer         70 composer    ┘             The frame begins at row 0, not at row 70.
 *
 * The ear may see a picture when only its first rows are painted. It is *doubtful* while these rows are too few, or fit
 * several places equally well: then `look` searches again with each look, and `settle` takes the best place. A picture
 * that fits nowhere is new text. It stays where the screen is, or begins a new *view* behind all known rows if the
 * screen was erased.
 *
 * Rows are counted from 0 for the session. At most MAX_TRANSCRIPT_ROWS are kept; the oldest are dropped first.
 *
 * The file is long because each look changes the rows, the window and what is known of them together.
 */
import { MAX_TRANSCRIPT_ROWS } from '../../bounds.js';
import { findInsertion, insertedAbove } from './inserted-rows.js';
import type { PlainRow, Rows } from './rows.js';
import {
  type Alignment,
  findPlace,
  findShift,
  hasClock,
  isInPlace,
  paintedAgain,
  paintedOver,
  type Shift,
} from './scroll-shift.js';
import { isSame } from './tearing.js';

/** Number of empty rows between two views. They keep the text of one view from continuing in the next. */
const GAP_ROWS = 1;
const FORGET_ROWS = 1000;
/**
 * If a picture is longer than this many screens and fits nowhere, its place is not searched any more: it is new text.
 */
const MAX_SEARCHED_SCREENS = 4;

export interface TranscriptState {
  readonly rows: readonly (PlainRow | null)[];
  readonly base: number;
  readonly top: number;
  readonly size: number;
  readonly header: number;
  readonly footer: number;
  readonly previous: readonly PlainRow[];
  readonly floor: number;
  /** True from an input that empties the conversation to the next input. Absent in checkpoints of older versions. */
  readonly isEmptying?: boolean;
  readonly isEmpty: boolean;
  readonly picture: (Omit<Picture, 'before'> & { readonly before: readonly (PlainRow | null)[] }) | null;
  readonly paintedFrom: number;
  /**
   * Number of the first row that is wrapped at the current width. Text above it may be wrapped at another one.
   * Absent in checkpoints of older versions.
   */
  readonly wrappedFrom?: number;
  /** Number of looks in which rows have appeared above the first known one. Absent in checkpoints of older versions. */
  readonly grownUp?: number;
  /** Looks in which rows left the screen at the top, less those in which rows left at the bottom. As above. */
  readonly scrolled?: number;
}

/** A picture that a program has painted over the screen, while its place in the transcript is not known. */
interface Picture {
  /** Number of the picture's first row. */
  readonly from: number;
  /** The rows that were in its place before, and all rows below them. */
  readonly before: readonly (PlainRow | undefined)[];
  /** Number of empty rows between the picture and the previous view. */
  readonly gap: number;
  readonly isDoubtful: boolean;
  /** True if its rows are wrapped at another width than those before. Absent in checkpoints of older versions. */
  readonly isRewrapped?: boolean;
}

/** The way in which a look has changed the transcript. */
export interface Placing {
  /** True if the rows do not continue those of the last look. They then probably contain copies of known messages. */
  readonly isJump: boolean;
  /** Set if a picture was moved to its place: from row `from` on, the row numbers have changed by `by`. */
  readonly moved?: { readonly from: number; readonly by: number };
}

const GREW: Placing = { isJump: false };
const JUMPED: Placing = { isJump: true };

export class Transcript {
  #rows: (PlainRow | undefined)[] = [];
  /** Number of `#rows[0]`. */
  #base = 0;
  #top = 0;
  #size = 0;
  /** Rows pinned at the top and at the bottom, as found at the last move. */
  #header = 0;
  #footer = 0;
  #previous: readonly PlainRow[] = [];
  /** Number of the first row in which a picture is searched: the rows above belong to another conversation. */
  #floor = 0;
  /**
   * True if the submitted input empties the conversation, until the next input. The program may still paint the old
   * one.
   */
  #isEmptying = false;
  #isEmpty = true;
  #picture: Picture | null = null;
  /** Number of the first row of the last picture that fits nowhere. */
  #paintedFrom = 0;
  #wrappedFrom = 0;
  #grownUp = 0;
  #scrolled = 0;

  constructor(state?: TranscriptState) {
    if (!state) return;
    this.#rows = state.rows.map((row) => row ?? undefined);
    this.#base = state.base;
    this.#top = state.top;
    this.#size = state.size;
    this.#header = state.header;
    this.#footer = state.footer;
    this.#previous = state.previous;
    this.#floor = state.floor;
    this.#isEmptying = state.isEmptying ?? false;
    this.#isEmpty = state.isEmpty;
    this.#picture = state.picture && {
      ...state.picture,
      before: state.picture.before.map((row) => row ?? undefined),
    };
    this.#paintedFrom = state.paintedFrom;
    this.#wrappedFrom = state.wrappedFrom ?? 0;
    this.#grownUp = state.grownUp ?? 0;
    this.#scrolled = state.scrolled ?? 0;
  }

  state(): TranscriptState {
    return {
      rows: Array.from(this.#rows, (row) => row ?? null),
      base: this.#base,
      top: this.#top,
      size: this.#size,
      header: this.#header,
      footer: this.#footer,
      previous: this.#previous,
      floor: this.#floor,
      isEmptying: this.#isEmptying,
      isEmpty: this.#isEmpty,
      picture: this.#picture && { ...this.#picture, before: Array.from(this.#picture.before, (row) => row ?? null) },
      paintedFrom: this.#paintedFrom,
      wrappedFrom: this.#wrappedFrom,
      grownUp: this.#grownUp,
      scrolled: this.#scrolled,
    };
  }

  get rows(): readonly (PlainRow | undefined)[] {
    return this.#rows;
  }
  /** Number of the first row that is kept. */
  get base(): number {
    return this.#base;
  }
  /** Index of the first row of the window. `end` is the index of the row behind its last. */
  get top(): number {
    return this.#top;
  }
  get bottom(): number {
    return this.#top + this.#size;
  }
  /** The screen at the last look. */
  get screen(): readonly PlainRow[] {
    return this.#previous;
  }
  /** Number of rows pinned at the top. */
  get header(): number {
    return this.#header;
  }

  /** True while the place of the current picture is not known and may change. */
  get isDoubtful(): boolean {
    return this.#picture?.isDoubtful ?? false;
  }
  /**
   * Number of the first row of the current picture, or of the last one that fitted nowhere; 0 if all rows are in their
   * places.
   */
  get paintedFrom(): number {
    return this.#picture?.from ?? this.#paintedFrom;
  }

  /**
   * True if rows have appeared above the first known one: the program adds text at the top. A resize may show such rows
   * once.
   */
  get growsUp(): boolean {
    return this.#grownUp > 1;
  }

  /** True if rows leave the screen mostly at the top: the program adds text at the bottom. */
  get growsDown(): boolean {
    return this.#scrolled > 1 && this.#grownUp === 0;
  }

  /**
   * Number of the first row that is wrapped at the current width. Text above it may be another picture of the same
   * text.
   */
  get wrappedFrom(): number {
    return this.#wrappedFrom;
  }

  /**
   * Called when the conversation is emptied. A picture that fits nowhere on the screen is then new text, not a
   * repetition.
   */
  close(): void {
    this.#floor = this.#base + this.#rows.length;
    this.#isEmptying = true;
  }

  /**
   * Called when an input was submitted that does not clear the conversation. Pictures from here on do not show the old
   * one.
   */
  goOn(): void {
    this.#isEmptying = false;
  }

  /**
   * @param screen The rows.
   * @param scrolled Number of rows that have left the screen since the last look, if known; they come before it in
   *   `screen`.
   * @param size Number of rows of the screen itself.
   * @param isRewrapped The screen has another width than at the last look.
   */
  look(screen: readonly PlainRow[], scrolled: number | null, size: number, isRewrapped = false): Placing {
    const placing = this.#place(screen, scrolled, size);
    // Rows that left the screen before this look were wrapped at its width, too.
    if (isRewrapped) this.#rewrap(this.#top - (screen.length - size));
    this.#wrappedFrom = Math.min(this.#wrappedFrom, this.#base + this.#top);
    this.#isEmpty = false;
    this.#previous = screen.slice(screen.length - size);
    this.#forget();
    return placing;
  }

  /**
   * Like `look`, for a screen on which a few rows have other text in the same places.
   *
   * @param changed Their indices.
   * @returns False if `look` must handle it.
   */
  touch(screen: readonly PlainRow[], changed: readonly number[], isContinued: boolean): boolean {
    if (!this.#isInPlace(screen, changed, isContinued)) return false;
    this.#writeInPlace(screen, changed, isContinued);
    this.#previous = screen;
    return true;
  }

  /** True if a look moves nothing, so that no place must be searched. */
  #isInPlace(screen: readonly PlainRow[], changed: readonly number[], isContinued: boolean): boolean {
    if (this.#isEmpty || this.#picture?.isDoubtful || screen.length !== this.#size) return false;
    if (!isInPlace(this.#previous, screen, changed)) return false;
    if (isContinued) return paintedOver(this.#rows, this.#top, screen) === 'nothing';
    // If the text of a pinned row changes, the rows next to it may not be pinned any more.
    const [header, footer] = [this.#header, screen.length - this.#footer];
    return changed.every((at) => (at >= header && at < footer) || isSame(this.#previous[at], screen[at]));
  }

  #writeInPlace(screen: readonly PlainRow[], changed: readonly number[], isContinued: boolean): void {
    const footer = this.bottom < this.#rows.length ? screen.length - this.#footer : screen.length;
    for (const index of changed) {
      const at = this.#top + index;
      // The header of a program whose output scrolls is text, unless it stands still or shows a clock.
      const isPinned = index < this.#header && !(isContinued && !hasClock(this.#previous[index], screen[index]));
      if ((!isPinned && index < footer) || this.#rows[at] === undefined) this.#rows[at] = screen[index];
    }
  }

  /** Called when painting has paused. A picture whose place is doubtful gets the best place found so far. */
  settle(): Placing {
    if (!this.#picture?.isDoubtful) return GREW;
    const placing = this.#search(true);
    this.#picture = null;
    return { ...placing, isJump: true };
  }

  #place(screen: readonly PlainRow[], scrolled: number | null, size: number): Placing {
    if (this.#isEmpty) {
      this.#begin(screen, size);
      return JUMPED;
    }
    const all = screen.length === size ? [...screen.keys()] : null;
    if (all && this.#isInPlace(screen, all, scrolled !== null)) {
      this.#writeInPlace(screen, all, scrolled !== null);
      return GREW;
    }
    if (scrolled !== null) return this.#continue(screen, size);
    const isWhole = screen.length === size;
    const shift = isWhole && size === this.#size ? findShift(this.#rows, this.#top, this.#previous, screen) : null;
    const isFresh = shift !== null && this.#isFreshStart(shift);
    if (shift && !isFresh) {
      if (shift.by !== 0) {
        this.#header = shift.header;
        this.#footer = shift.footer;
        this.#scrolled += Math.sign(shift.by);
        if (this.#top + shift.by < 0) this.#grownUp++;
        this.#moveTo(this.#top + shift.by);
      }
      if (shift.by === 0) this.#unpin(screen);
      this.#write(this.#top, screen, shift.by < 0 ? pinnedAbove(screen, this.#header) : this.#header);
      return this.#search();
    }
    return this.#jump(screen, size, isWhole && !isFresh);
  }

  /**
   * True if a cleared conversation begins again with the same banner as the old one. The screen has scrolled back to
   * the old banner only if all rows below the banner are equal, too. If not, the old rows must not stay below the new
   * ones.
   */
  #isFreshStart({ by, misses }: Shift): boolean {
    return by < 0 && misses > 0 && this.#base + this.#top + by < this.#floor;
  }

  /** Handles a look that continues the last one by scrolling. The program may also have painted over some rows. */
  #continue(screen: readonly PlainRow[], size: number): Placing {
    if (size === this.#size) {
      const painted = paintedOver(this.#rows, this.#top, screen.slice(0, size));
      const { place } = painted === 'some' ? this.#findElsewhere(screen) : { place: this.#top };
      if (painted === 'most' || place !== this.#top) this.#paintOver();
    }
    this.#write(this.#top, screen, 0);
    this.#top += screen.length - size;
    this.#size = size;
    return this.#search();
  }

  /** Finds the place of a long frame. It may fit two places if the conversation repeats itself. */
  #findElsewhere(screen: readonly PlainRow[]): { readonly place: number } {
    const { place, isCertain } = this.#find(this.#rows, screen, this.#top);
    return { place: isCertain && place !== null ? place : this.#top };
  }

  /** Finds the place of a picture. An emptied conversation is searched only if the program may still paint it again. */
  #find(
    known: readonly (PlainRow | undefined)[],
    picture: readonly (PlainRow | undefined)[],
    stay: number | null,
  ): Alignment {
    const floor = this.#floor - this.#base;
    const found = findPlace(known, picture, floor, stay);
    if (!this.#isEmptying || found.place !== null) return found;
    const old = findPlace(known, picture, 0, stay);
    if (old.place === null) return found;
    const again = paintedAgain(known.slice(0, Math.max(0, floor)), old.place, picture);
    if (again === 'all') return old;
    return again === 'some' ? { place: null, isCertain: false } : found;
  }

  /** Begins a picture at the top of the window. The first rows of an unfinished picture are forgotten. */
  #paintOver(): void {
    const { base } = this;
    if (this.#picture?.isDoubtful) {
      const { from, before } = this.#picture;
      this.#rows.length = from - base;
      this.#rows.push(...before);
      this.#top = from - base;
      return;
    }
    this.#picture = { from: base + this.#top, before: this.#rows.slice(this.#top), gap: 0, isDoubtful: true };
  }

  /**
   * Searches the place of the picture, and moves the picture there if one is found.
   *
   * @param isFinal True to take the last one of several places that are equally good.
   */
  #search(isFinal = false): Placing {
    const picture = this.#picture;
    if (!picture) return GREW;
    const start = picture.from - this.#base;
    if (start < 0 || this.#top < start) {
      this.#picture = null;
      return GREW;
    }
    const painted = this.#rows.slice(start, this.bottom);
    const known = [...this.#rows.slice(0, start - picture.gap), ...picture.before];
    const { place, isCertain } = this.#find(known, painted, picture.gap > 0 ? null : start);
    if (!isCertain && !isFinal) {
      this.#picture = { ...picture, isDoubtful: true };
      return JUMPED;
    }
    if (place === null) {
      this.#paintedFrom = picture.from;
      const isNew = painted.length > MAX_SEARCHED_SCREENS * this.#size;
      this.#picture = isNew ? null : { ...picture, isDoubtful: false };
      return GREW;
    }
    this.#picture = null;
    this.#paintedFrom = 0;
    this.#rows = known;
    const inserted = picture.gap === 0 ? insertedAbove(known, place, start, painted) : null;
    const first = inserted === null ? place : start;
    this.#moveTo(first);
    this.#header = painted.length === this.#size ? this.#pinnedIn(painted) : 0;
    for (const [index, row] of painted.entries()) {
      if (index >= this.#header || this.#rows[this.#top + index] === undefined) this.#rows[this.#top + index] = row;
    }
    this.#top += painted.length - this.#size;
    if (picture.isRewrapped) this.#rewrap(first);
    const moved =
      inserted === null
        ? { from: picture.from, by: place - start }
        : { from: this.#base + inserted, by: start - place };
    return { isJump: true, moved };
  }

  #jump(screen: readonly PlainRow[], size: number, isWhole: boolean): Placing {
    const { place, isCertain } = this.#find(this.#rows, screen, null);
    if (place === null || !isCertain) {
      const gone = isWhole && size === this.#size ? findInsertion(this.#previous, screen, this.#footer) : null;
      if (gone === null) {
        this.#begin(screen, size);
        const { moved } = this.#search();
        return moved ? { isJump: true, moved } : JUMPED;
      }
      this.#top += gone;
      while (gone > 0 && this.#rows[this.#top - 1]?.squashed === '') this.#top--;
      this.#header = 0;
      this.#rows.length = this.#top;
      this.#write(this.#top, screen, 0);
      return GREW;
    }
    this.#picture = null;
    this.#moveTo(place);
    this.#header = isWhole ? this.#pinnedIn(screen) : 0;
    this.#write(this.#top, screen, this.#header);
    this.#top += screen.length - size;
    this.#size = size;
    return JUMPED;
  }

  /** Begins a new view after all known rows. */
  #begin(screen: readonly PlainRow[], size: number): void {
    const gap = this.#isEmpty ? 0 : GAP_ROWS;
    for (let row = 0; row < gap; row++) this.#rows.push(undefined);
    const from = this.#rows.length;
    if (!this.#isEmpty) this.#picture = { from: this.#base + from, before: [], gap, isDoubtful: true };
    this.#write(from, screen, 0);
    this.#top = from + screen.length - size;
    this.#size = size;
    this.#header = 0;
    this.#footer = 0;
  }

  /**
   * Returns how many of the first rows of a screen are a header: they stand as on the screen before, and the transcript
   * has other text in their places.
   */
  #pinnedIn(screen: Rows): number {
    let header = 0;
    for (let index = 0; index < screen.length / 2; index++) {
      const now = screen[index]?.squashed;
      if (this.#previous[index]?.squashed !== now) break;
      const known = this.#rows[this.#top + index]?.squashed;
      if (known !== undefined && known !== now) header = index + 1;
    }
    return header;
  }

  /** Ends the pinning of a row whose text has changed, and of all rows between it and the middle. */
  #unpin(screen: readonly PlainRow[]): void {
    const size = screen.length;
    const hasChanged = (index: number): boolean => !isSame(this.#previous[index], screen[index]);
    for (let index = this.#header - 1; index >= 0; index--)
      if (!hasClock(this.#previous[index], screen[index])) this.#header = index;
    for (let index = size - this.#footer; index < size; index++) if (hasChanged(index)) this.#footer = size - index - 1;
  }

  /**
   * The window has another width than the rows around it. Rows below it are dropped: what is painted next does not
   * match them.
   *
   * @param from Index of the first row that has this width.
   */
  #rewrap(from: number): void {
    if (this.#picture?.isDoubtful) {
      this.#picture = { ...this.#picture, isRewrapped: true };
      this.#wrappedFrom = this.#picture.from;
      return;
    }
    this.#rows.length = Math.min(this.#rows.length, this.bottom);
    this.#wrappedFrom = this.#base + from;
  }

  /** Moves the window. Adds rows above the first one if needed. */
  #moveTo(top: number): void {
    this.#top = top;
    if (top >= 0) return;
    this.#rows.unshift(...new Array<undefined>(-top).fill(undefined));
    this.#base += top;
    this.#top = 0;
  }

  #write(at: number, screen: readonly PlainRow[], from: number): void {
    const end = at + screen.length;
    // After scrolling back, the composer at the bottom of the screen is not one of the old rows.
    const to = end < this.#rows.length ? screen.length - this.#footer : screen.length;
    for (let index = from; index < to; index++) this.#rows[at + index] = screen[index];
    for (let index = 0; index < screen.length; index++) {
      if (this.#rows[at + index] === undefined) this.#rows[at + index] = screen[index];
    }
  }

  #forget(): void {
    if (this.#rows.length <= MAX_TRANSCRIPT_ROWS) return;
    const count = Math.min(this.#top, this.#rows.length - MAX_TRANSCRIPT_ROWS + FORGET_ROWS);
    if (count <= 0) {
      this.#rows.length = Math.max(this.bottom, MAX_TRANSCRIPT_ROWS);
      return;
    }
    this.#rows.splice(0, count);
    this.#base += count;
    this.#top -= count;
  }
}

/**
 * Returns the number of rows of a header above its first row that could be a message. That row is text, and other text
 * was inserted below it.
 */
function pinnedAbove(screen: Rows, header: number): number {
  const notable = screen.findIndex((row) => row?.isNotable);
  return notable === -1 ? header : Math.min(header, notable);
}

/**
 * Virtual transcript: what a person would have seen, had the screen been endless. Looks at the screen go in, one after the other.
 *
 * It is an array of rows and a window on it, which is the screen. A look moves the window (see stitch.ts) and writes its rows there:
 *
 *     rows     0 … … … … … … … … n         scrolled on: the window moves down, what left it upwards stays as it was
 *                      └─ window ─┘        scrolled back: it moves up, and nothing is new
 *
 * A look that fits nowhere begins a new *view* behind all that is known. Rows are counted from 0 for the session; at most MAX_TRANSCRIPT_ROWS
 * are kept, the oldest go first.
 */
import { MAX_TRANSCRIPT_ROWS } from '../bounds.js';
import type { PlainRow } from './rows.js';
import { findInsertion, findShift, locate } from './stitch.js';

/** Rows between two views: nothing reaches from one into the next. */
const GAP_ROWS = 1;
/** Clocks and spinners. */
const CHANGING = /[\d\u2800-\u28ff◐◑◒◓✶✻✽✢·|/\\-]/gu;
const FORGET_ROWS = 1000;

export interface TranscriptState {
  readonly rows: readonly (PlainRow | null)[];
  readonly base: number;
  readonly top: number;
  readonly size: number;
  readonly header: number;
  readonly footer: number;
  readonly previous: readonly PlainRow[];
  readonly floor: number;
  readonly isEmpty: boolean;
}

export class Transcript {
  #rows: (PlainRow | undefined)[] = [];
  /** Number of `#rows[0]`. */
  #base = 0;
  #top = 0;
  #size = 0;
  /** Rows pinned above and below, as the last move has shown. */
  #header = 0;
  #footer = 0;
  #previous: readonly PlainRow[] = [];
  /** Number of the first row in which a picture is looked for: those above are of another conversation. */
  #floor = 0;
  #isEmpty = true;

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
    this.#isEmpty = state.isEmpty;
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
      isEmpty: this.#isEmpty,
    };
  }

  get rows(): readonly (PlainRow | undefined)[] {
    return this.#rows;
  }
  /** Number of the first row that is kept. */
  get base(): number {
    return this.#base;
  }
  /** Index of the window's first row, and behind its last. */
  get top(): number {
    return this.#top;
  }
  get bottom(): number {
    return this.#top + this.#size;
  }

  /** The conversation is emptied: a picture that fits nowhere on the screen is not one of what was painted before. */
  close(): void {
    this.#floor = this.#base + this.#rows.length;
  }

  /**
   * @param screen    The rows.
   * @param scrolled  How many rows have left the screen since the last look, if that is known; they stand before it in `screen`.
   * @param size      Rows of the screen itself.
   * @returns Whether the look did not grow out of the one before: copies of what was heard are to be expected in it.
   */
  look(screen: readonly PlainRow[], scrolled: number | null, size: number): boolean {
    const isJump = this.#place(screen, scrolled, size);
    this.#isEmpty = false;
    this.#previous = screen.slice(screen.length - size);
    this.#forget();
    return isJump;
  }

  #place(screen: readonly PlainRow[], scrolled: number | null, size: number): boolean {
    if (this.#isEmpty) return this.#begin(screen, size);
    if (scrolled !== null) {
      this.#write(this.#top, screen, 0);
      this.#top += screen.length - size;
      this.#size = size;
      return false;
    }
    const isWhole = screen.length === size;
    const shift = isWhole && size === this.#size ? findShift(this.#rows, this.#top, this.#previous, screen) : null;
    if (shift) {
      if (shift.by !== 0) {
        this.#header = shift.header;
        this.#footer = shift.footer;
        this.#moveTo(this.#top + shift.by);
      }
      if (shift.by === 0) this.#unpin(screen);
      this.#write(this.#top, screen, this.#header);
      return false;
    }
    const place = locate(this.#rows, screen, this.#floor - this.#base);
    if (place === null) {
      const gone = isWhole && size === this.#size ? findInsertion(this.#previous, screen, this.#footer) : null;
      if (gone === null) return this.#begin(screen, size);
      this.#top += gone;
      while (gone > 0 && this.#rows[this.#top - 1]?.squashed === '') this.#top--;
      this.#header = 0;
      this.#rows.length = this.#top;
      this.#write(this.#top, screen, 0);
      return false;
    }
    this.#header = 0;
    this.#moveTo(place);
    this.#write(this.#top, screen, 0);
    this.#top += screen.length - size;
    this.#size = size;
    return true;
  }

  #begin(screen: readonly PlainRow[], size: number): boolean {
    if (!this.#isEmpty) {
      for (let gap = 0; gap < GAP_ROWS; gap++) this.#rows.push(undefined);
    }
    const from = this.#rows.length;
    this.#write(from, screen, 0);
    this.#top = from + screen.length - size;
    this.#size = size;
    this.#header = 0;
    this.#footer = 0;
    return true;
  }

  /** A row that says something else is not pinned, and none of those towards the middle is. */
  #unpin(screen: readonly PlainRow[]): void {
    const size = screen.length;
    const hasChanged = (index: number): boolean => {
      const before = this.#previous[index]?.squashed ?? '';
      const now = screen[index]?.squashed ?? '';
      return before !== now && before.replace(CHANGING, '') !== now.replace(CHANGING, '');
    };
    for (let index = this.#header - 1; index >= 0; index--) if (hasChanged(index)) this.#header = index;
    for (let index = size - this.#footer; index < size; index++) if (hasChanged(index)) this.#footer = size - index - 1;
  }

  /** Room is made above the first row if need be. */
  #moveTo(top: number): void {
    this.#top = top;
    if (top >= 0) return;
    this.#rows.unshift(...new Array<undefined>(-top).fill(undefined));
    this.#base += top;
    this.#top = 0;
  }

  #write(at: number, screen: readonly PlainRow[], from: number): void {
    const end = at + screen.length;
    // Scrolled back: the composer is not part of what stood here.
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

/**
 * Asked again: may a program have asked the same question again, after it has cleared the screen?
 *
 *     before          an input           now
 *       == menu ==      == menu ==         == menu ==
 *       message         message            message       of an earlier turn, and the last words on the screen
 *       >               > build            >
 *                       building
 *
 * A program that repaints its conversation shows the person's words, or its own, below an earlier message. A menu in a
 * shell script does not. Such a message is not reported, because a program may also repaint a screen that it has not
 * changed. It gives a hint.
 *
 * In:   the screen at each look, and when an input is submitted.
 * Out:  true for a message that stands as the last words of the screen again.
 */
import type { PlainRow } from './rows/index.js';

const WORDS = /[\p{L}\p{N}]/u;

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface AskedAgainState {
  readonly words: string;
  readonly row: number;
  readonly wordsBefore: string;
  readonly hasGoneOn: boolean;
}

export class AskedAgain {
  /** The last row with words at the last look, and its index on the screen; -1 if there was none. */
  #words: string;
  #row: number;
  /** That row when the last input was submitted. */
  #wordsBefore: string;
  /** True if the screen has ended with another row since then. */
  #hasGoneOn: boolean;

  constructor(state?: AskedAgainState) {
    this.#words = state?.words ?? '';
    this.#row = state?.row ?? -1;
    this.#wordsBefore = state?.wordsBefore ?? '';
    this.#hasGoneOn = state?.hasGoneOn ?? false;
  }

  state(): AskedAgainState {
    return { words: this.#words, row: this.#row, wordsBefore: this.#wordsBefore, hasGoneOn: this.#hasGoneOn };
  }

  beginTurn(): void {
    this.#wordsBefore = this.#words;
    this.#hasGoneOn = false;
  }

  look(screen: readonly PlainRow[]): void {
    this.#row = screen.findLastIndex(({ text }) => WORDS.test(text));
    this.#words = screen[this.#row]?.text ?? '';
    this.#hasGoneOn ||= this.#words !== this.#wordsBefore;
  }

  /** @param end  The index of the row after the message. */
  standsLast(end: number): boolean {
    return this.#hasGoneOn && this.#row === end - 1;
  }
}

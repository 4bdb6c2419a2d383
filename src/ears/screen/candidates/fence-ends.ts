/**
 * Fence ends: finds the end of a visible fence that the program never closed.
 *
 *     "context": "… ``` not a fence …"       the program ends the block here
 *     ```                                    and shows the real end, which looks like the beginning of a fence
 *     > the next prompt                      a fence never continues after a prompt
 *     {"type": "QUESTION", …                 said by the agent, not quoted
 *
 * A fence that is open when an input is submitted ends at the row that shows this input. Without that row, it ends
 * after MAX_FENCE_ROWS.
 *
 * In:   the rows of the open fences at each reading (`read`), turns, and the row of the prompt.
 * Out:  by the row of the prompt, the rows of the fences that end there (`byPrompt`).
 */

import { NO_ROW } from '../rows/index.js';

const MAX_ENDS = 32;

/** The state for a checkpoint. It contains only values that JSON can represent. */
export interface FenceEndsState {
  readonly seen: readonly number[];
  readonly open: readonly number[];
  readonly row: number;
  readonly earlier: readonly (readonly [number, readonly number[]])[];
}

export type FenceEndsByPrompt = ReadonlyMap<number, readonly number[]>;

export class FenceEnds {
  /** Rows of the fences that were open at the last reading, and of those that were open when the turn began. */
  #seen: readonly number[];
  #open: readonly number[];
  /** The row that shows what was submitted last; NO_ROW for none. */
  #row: number;
  /** The ends at the prompts of earlier turns. */
  #earlier: FenceEndsByPrompt;
  #byPrompt: FenceEndsByPrompt;

  constructor(state?: FenceEndsState) {
    this.#seen = state?.seen ?? [];
    this.#open = state?.open ?? [];
    this.#row = state?.row ?? NO_ROW;
    this.#earlier = new Map(state?.earlier);
    this.#byPrompt = this.#withCurrent();
  }

  state(): FenceEndsState {
    return { seen: this.#seen, open: this.#open, row: this.#row, earlier: [...this.#earlier] };
  }

  /** The same object until an end changes. */
  get byPrompt(): FenceEndsByPrompt {
    return this.#byPrompt;
  }

  /** @param open  The numbers of the rows with open fences. */
  read(open: readonly number[]): void {
    this.#seen = open;
  }

  beginTurn(): void {
    this.#earlier = new Map([...this.#byPrompt].slice(-MAX_ENDS));
    this.#row = NO_ROW;
    this.#open = this.#seen;
  }

  /**
   * @param row  The row that shows what was submitted last; NO_ROW for none.
   * @returns True if fences end at another row than before.
   */
  prompted(row: number): boolean {
    if (row === this.#row || this.#open.length === 0) return false;
    this.#row = row;
    this.#byPrompt = this.#withCurrent();
    return true;
  }

  /** Changes the row numbers of a picture that is moved to where it was before, from its first row on. */
  move(from: number, by: number): void {
    const moved = (row: number): number => (row >= from ? row + by : row);
    this.#seen = this.#seen.map(moved);
    this.#open = this.#open.map(moved);
    this.#row = moved(this.#row);
    this.#earlier = new Map([...this.#earlier].map(([row, fences]) => [moved(row), fences.map(moved)]));
    this.#byPrompt = this.#withCurrent();
  }

  #withCurrent(): FenceEndsByPrompt {
    const ended = this.#open.filter((fence) => fence < this.#row);
    return ended.length === 0 ? this.#earlier : new Map([...this.#earlier, [this.#row, ended]]);
  }
}

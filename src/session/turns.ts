/**
 * Turns: many sessions hear their journals on one event loop, and none of them holds it.
 *
 * In:   steps of sessions (`take`), each at most some milliseconds long.
 * Out:  each step is called once, in order. After SLICE_MS the event loop runs before the next one: requests, keys and the events of
 *       sessions that were heard already do not wait for all the others.
 * At rest there is neither a timer nor anything that waits.
 */

/** Longer than most steps, and not long enough to be felt. */
const SLICE_MS = 2;

interface TurnsPorts {
  readonly now?: () => number;
  /** Instead of setImmediate, for tests: calls back after the event loop has run. */
  readonly afterOthers?: (next: () => void) => void;
}

export class Turns {
  readonly #now: () => number;
  readonly #afterOthers: (next: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  /** The end of this slice; null before the first step of a slice. */
  #deadline: number | null = null;

  constructor(ports: TurnsPorts = {}) {
    this.#now = ports.now ?? (() => performance.now());
    this.#afterOthers = ports.afterOthers ?? ((next) => void setImmediate(next));
  }

  /** Calls the step: at once if there is time left and nothing waits, else in its turn. */
  take(step: () => void): void {
    this.#begin();
    if (this.#waiting.length > 0 || this.isOver()) this.#waiting.push(step);
    else step();
  }

  /** Calls the step after all that wait, never at once. */
  later(step: () => void): void {
    this.#begin();
    this.#waiting.push(step);
  }

  #begin(): void {
    if (this.#deadline !== null) return;
    this.#deadline = this.#now() + SLICE_MS;
    this.#afterOthers(() => this.#next());
  }

  #next(): void {
    this.#deadline = null;
    if (this.#waiting.length === 0) return;
    this.#begin();
    // At least one in each slice. A step that asks for another one finds it behind those that wait.
    do this.#waiting.shift()?.();
    while (this.#waiting.length > 0 && !this.isOver());
  }

  /** True if the step that runs should leave the rest of its work to a later one. */
  isOver(): boolean {
    return this.#deadline !== null && this.#now() >= this.#deadline;
  }
}

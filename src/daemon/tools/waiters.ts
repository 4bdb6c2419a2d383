/**
 * Tracks which callers wait for which items, and reports items without a waiting caller.
 *
 * In:   callers that come and leave; changes (`wake`); items that should have a caller (`expect`).
 * Out:  `onAbandoned(itemId)` after `graceMs` without a caller.
 */
import { Listeners, Timers } from '../concurrency/index.js';

export class Waiters {
  readonly #graceMs: number;
  readonly #onAbandoned: (itemId: string) => void;
  readonly #waiting = new Map<string, number>();
  readonly #listeners = new Listeners();
  readonly #timers = new Timers();

  constructor(graceMs: number, onAbandoned: (itemId: string) => void) {
    this.#graceMs = graceMs;
    this.#onAbandoned = onAbandoned;
  }

  /** @returns A function to call when the caller leaves. */
  enter(itemId: string): () => void {
    this.#waiting.set(itemId, (this.#waiting.get(itemId) ?? 0) + 1);
    this.#timers.clear(itemId);
    return () => {
      const left = (this.#waiting.get(itemId) ?? 1) - 1;
      if (left > 0) this.#waiting.set(itemId, left);
      else this.#waiting.delete(itemId);
    };
  }

  /** Resolves at the next change of the item, or when the signal aborts. */
  change(itemId: string, signal: AbortSignal): Promise<void> {
    return this.#listeners.change(itemId, signal);
  }

  wake(itemId: string): void {
    this.#listeners.wake(itemId);
  }

  /** Starts the timer for an item that should have a waiting caller. */
  expect(itemId: string): void {
    if (this.#waiting.has(itemId) || this.#timers.has(itemId)) return;
    this.#timers.set(itemId, this.#graceMs, () => {
      if (!this.#waiting.has(itemId)) this.#onAbandoned(itemId);
    });
  }

  close(): void {
    this.#timers.close();
  }
}

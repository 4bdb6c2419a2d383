/**
 * Wakes the readers that wait for an event.
 *
 * In:   callbacks, and publications.
 * Out:  each callback once after the next publication, at most WOKEN_PER_TURN per turn of the event loop. This keeps a
 *       turn short, however many readers there are.
 */
const WOKEN_PER_TURN = 500;

export class WakeUp {
  #waiting = new Set<() => void>();
  /** The callbacks that a publication has woken and that have not run yet, one set for each publication. */
  readonly #woken: Set<() => void>[] = [];

  /**
   * Calls the callback once after the next publication.
   * @returns A function that cancels the call.
   */
  onNext(callback: () => void): () => void {
    const waiting = this.#waiting.add(callback);
    return () => waiting.delete(callback);
  }

  wakeAll(): void {
    if (this.#waiting.size === 0) return;
    this.#woken.push(this.#waiting);
    this.#waiting = new Set();
    if (this.#woken.length === 1) this.#wakeSome();
  }

  #wakeSome(): void {
    let left = WOKEN_PER_TURN;
    for (let some = this.#woken[0]; some && left > 0; some = this.#woken[0]) {
      for (const wake of some) {
        some.delete(wake);
        wake();
        left--;
        if (left === 0) break;
      }
      if (some.size === 0) this.#woken.shift();
    }
    if (this.#woken.length > 0) setImmediate(() => this.#wakeSome());
  }
}

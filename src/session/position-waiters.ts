/** Callers that wait until a journal was read up to a position. */
export class PositionWaiters {
  #waiters: { readonly until: number; readonly wake: () => void }[] = [];

  get isEmpty(): boolean {
    return this.#waiters.length === 0;
  }

  /** Resolves when everything before `until` was read. */
  wait(until: number): Promise<void> {
    return new Promise((wake) => this.#waiters.push({ until, wake }));
  }

  /** Called when everything before `position` was read. */
  reached(position: number): void {
    if (this.isEmpty) return;
    const woken = this.#waiters.filter(({ until }) => until <= position);
    this.#waiters = this.#waiters.filter(({ until }) => until > position);
    for (const waiter of woken) waiter.wake();
  }
}

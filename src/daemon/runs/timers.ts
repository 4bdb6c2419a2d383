/** One timer for each run, however long: Node's own end after 24.8 days. None of them keeps the daemon alive. */
const LONGEST_MS = 2 ** 31 - 1;

export class Timers {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** In the place of the one before. */
  set(id: string, ms: number, then: () => void): void {
    this.clear(id);
    const next = (): void => (ms > LONGEST_MS ? this.set(id, ms - LONGEST_MS, then) : then());
    this.#timers.set(id, setTimeout(next, Math.min(Math.max(0, ms), LONGEST_MS)).unref());
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    for (const id of [...this.#timers.keys()]) this.clear(id);
  }
}

/**
 * One timer for each id, of any length: Node's own timers are limited to 24.8 days. The timers do not keep the daemon
 * alive.
 */
const LONGEST_MS = 2 ** 31 - 1;

/** Holds one timer for each id. */
export class Timers {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Sets a timer; it replaces the previous one. */
  set(id: string, ms: number, then: () => void): void {
    this.clear(id);
    const next = (): void => {
      this.#timers.delete(id);
      if (ms > LONGEST_MS) this.set(id, ms - LONGEST_MS, then);
      else then();
    };
    this.#timers.set(id, setTimeout(next, Math.min(Math.max(0, ms), LONGEST_MS)).unref());
  }

  /** True while a timer with this id runs. */
  has(id: string): boolean {
    return this.#timers.has(id);
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    for (const id of [...this.#timers.keys()]) this.clear(id);
  }
}

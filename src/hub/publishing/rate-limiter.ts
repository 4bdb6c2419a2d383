/**
 * Limits how many events a second this machine publishes. Up to a second's worth may go at once.
 *
 * In:   the number of events of each batch.
 * Out:  how long to wait before it is published.
 */
const BURST_MS = 1_000;

export class RateLimiter {
  readonly #perSecond: number;
  readonly #now: () => number;
  /** When all events so far would be published at the limit. */
  #busyUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param perSecond  0: no limit.
   * @param now  A monotonic clock in milliseconds.
   */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  waitMs(events: number): number {
    if (this.#perSecond === 0) return 0;
    const now = this.#now();
    this.#busyUntil = Math.max(now, this.#busyUntil) + (events / this.#perSecond) * 1_000;
    return Math.max(0, this.#busyUntil - now - BURST_MS);
  }
}

/**
 * The clock of the server. The clocks of the machines may differ, so ages and expiries are compared with this one.
 *
 * In:   times that the server has written on messages.
 * Out:  its time now, as a monotonic clock has counted it since.
 */
export class ServerClock {
  readonly #now: () => number;
  #known: { readonly time: number; readonly cameAt: number } | null = null;

  /** @param now  A monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Sets the clock to the time of a message that was stored just now, in milliseconds since 1970. */
  set(time: number): void {
    this.#known = { time, cameAt: this.#now() };
  }

  /** Takes the time of a message that may be old. It only moves the clock forward. */
  observe(time: number): void {
    if (time > (this.now() ?? Number.NEGATIVE_INFINITY)) this.set(time);
  }

  /** Returns the time of the server; null before the first message is known. */
  now(): number | null {
    return this.#known && this.#known.time + this.#now() - this.#known.cameAt;
  }
}

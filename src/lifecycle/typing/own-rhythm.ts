/**
 * Own rhythm: determines if new rows after an Enter may be output that the program would have printed anyway. Pure.
 *
 * In:   when the program printed last before the Enter, and the times of new rows after it.
 * Out:  `isReaction`: true once the rows are a reaction. They are one if the program
 *
 *     had printed nothing for KNOWN_MS           question ───────────────────────── Enter ─ row
 *     prints without a rest for STREAM_MS        question ─── Enter ─ row,row,row,row,row,row
 *     rests longer than it did before            question ─── Enter ─ row ─────────────────
 *
 *     A program that prints a row each two to four seconds does none of these:
 *
 *                                                question ─── Enter ─ row ─────── row ───── row
 */
/** A program that has printed nothing for this time does not print by itself. */
const KNOWN_MS = 15_000;
/** Changes that follow one another faster belong to one stream. */
const STREAM_GAP_MS = 800;
const STREAM_MS = 3_000;
/** A rest counts if it is this many times as long as the longest one before, and within these limits. */
const REST_FACTOR = 2.5;
const MIN_REST_MS = 6_000;

export class OwnRhythm {
  #lastAt: number;
  #streamAt: number | null = null;
  #longestRestMs = 0;
  #hasReacted = false;

  /** @param printedAt  Time of the last output before the Enter; -Infinity if there was none. */
  constructor(printedAt: number) {
    this.#lastAt = printedAt;
  }

  /** Called when the new rows have changed. */
  changed(now: number): void {
    const restMs = now - this.#lastAt;
    if (this.#streamAt === null && restMs >= KNOWN_MS) this.#hasReacted = true;
    if (this.#streamAt === null || restMs > STREAM_GAP_MS) {
      this.#streamAt = now;
      this.#longestRestMs = Math.max(this.#longestRestMs, restMs);
    }
    this.#lastAt = now;
    if (now - this.#streamAt >= STREAM_MS) this.#hasReacted = true;
  }

  isReaction(now: number): boolean {
    const neededMs = Math.min(KNOWN_MS, Math.max(MIN_REST_MS, REST_FACTOR * this.#longestRestMs));
    return this.#hasReacted || now - this.#lastAt >= neededMs;
  }
}

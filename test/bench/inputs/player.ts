/**
 * Plays frames at their times: `play(nowMs)` writes all that is due, one write a frame, as the recorded program did.
 *
 * `write` takes bytes and returns how many it could write now; the rest goes first the next time. Knows no clock.
 */
import type { Frame } from './agents.js';

export interface Totals {
  bytes: number;
  writes: number;
  lateMs: number;
}

/** Pause before the next attempt if the reader had no room. */
const RETRY_MS = 5;

export class Player {
  readonly #frames: Iterator<Frame>;
  readonly #write: (bytes: Uint8Array) => number;
  #next: Frame | null;
  #rest: Uint8Array = new Uint8Array();
  #totals: Totals = { bytes: 0, writes: 0, lateMs: 0 };

  constructor(frames: Iterable<Frame>, write: (bytes: Uint8Array) => number) {
    this.#frames = frames[Symbol.iterator]();
    this.#write = write;
    this.#next = this.#take();
  }

  /**
   * Writes the frames that are due.
   * @returns The time of the next call, or null after the last frame.
   */
  play(nowMs: number): number | null {
    while (this.#rest.length > 0 || (this.#next && this.#next.atMs <= nowMs)) {
      if (this.#rest.length === 0 && this.#next) {
        this.#totals.lateMs = Math.max(this.#totals.lateMs, nowMs - this.#next.atMs);
        this.#rest = Buffer.from(this.#next.text);
        this.#next = this.#take();
      }
      const written = this.#write(this.#rest);
      this.#totals.bytes += written;
      this.#rest = this.#rest.subarray(written);
      if (this.#rest.length > 0) return nowMs + RETRY_MS;
      this.#totals.writes++;
    }
    return this.#next?.atMs ?? null;
  }

  /** Returns the number of bytes written since the last call, and the largest delay of a frame. */
  takeTotals(): Totals {
    const totals = this.#totals;
    this.#totals = { bytes: 0, writes: 0, lateMs: 0 };
    return totals;
  }

  #take(): Frame | null {
    const { done, value } = this.#frames.next();
    return done === true ? null : value;
  }
}

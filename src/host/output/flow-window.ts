/**
 * Number of bytes that the host may run ahead of the daemon, for one session.
 *
 * It begins with FIRST_WINDOW_BYTES and follows what the daemon takes in WINDOW_MS, from MIN_WINDOW_BYTES to
 * FLOW_WINDOW_BYTES. So the end of a session whose output takes long to hear, and what is typed into it, do not wait
 * behind minutes of its output. The speed is measured only while output waits for the daemon.
 */
import { FLOW_WINDOW_BYTES, MIN_WINDOW_BYTES } from '../contract.js';

export const FIRST_WINDOW_BYTES = 128 * 1024;
const WINDOW_MS = 1_000;
/** Minimum time over which the daemon's speed is measured. */
const MEASURED_MS = 250;

export class FlowWindow {
  readonly #now: () => number;
  #bytes = FIRST_WINDOW_BYTES;
  /** Start of the measurement. Null while the program is slower than the daemon. */
  #since: { readonly time: number; readonly taken: number } | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Called when the daemon has read more of the journal.
   * @param taken   Position up to which it has read.
   * @param unread Number of bytes that still wait for it.
   */
  took(taken: number, unread: number): void {
    const time = this.#now();
    const since = this.#since;
    if (since) {
      const ms = time - since.time;
      if (ms < MEASURED_MS) return;
      const inWindow = ((taken - since.taken) / ms) * WINDOW_MS;
      this.#bytes = Math.round(Math.min(FLOW_WINDOW_BYTES, Math.max(MIN_WINDOW_BYTES, inWindow)));
    }
    this.#since = unread >= this.#bytes / 2 ? { time, taken } : null;
  }
}

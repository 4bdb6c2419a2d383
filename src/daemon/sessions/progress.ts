/**
 * Decides when the daemon tells the host how much of a journal it has read. The host reads a limited number of bytes
 * ahead.
 */
import { MIN_WINDOW_BYTES } from '../../host/index.js';

/** Reporting progress more often than this costs more than it saves. */
const STEP_BYTES = 64 * 1024;
/** Progress of slow reading is reported at least this often: the host measures it. */
const STEP_MS = 250;
/** If everything known was read, no later step would report more than this, and the host may be waiting. */
const LAST_BYTES = MIN_WINDOW_BYTES / 2;

export class Progress {
  readonly #now: () => number;
  #position = 0;
  #atMs = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param position  Everything before it was read.
   * @param bytesBehind  Number of bytes that are known and were not read.
   * @returns True if this must be reported; it then counts as reported.
   */
  isDue(position: number, bytesBehind: number): boolean {
    const isSlow = bytesBehind > 0 && this.#now() - this.#atMs >= STEP_MS;
    const least = bytesBehind === 0 ? LAST_BYTES : STEP_BYTES;
    if (position - this.#position < (isSlow ? 1 : least)) return false;
    this.#position = position;
    this.#atMs = this.#now();
    return true;
  }
}

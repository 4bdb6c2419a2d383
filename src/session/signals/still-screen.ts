/**
 * Still screen: detects a screen on which only numbers and signs change, as with a clock or an animation.
 *
 * In:   the rows of the screen at some looks, with the time of their record.
 * Out:  true once the words have stayed the same for STILL_MS. A spinner looks like a clock: a program that shows it
 *       may work, or wait.
 */
import { digest } from '../../ears/index.js';

export interface StillScreenState {
  /** A digest of the words. */
  readonly words: string;
  /** Time of the record at which the words were first seen, and of the last reading. */
  readonly since: number;
  readonly readMs: number;
}

/** As long as an answer waits at most for a program that may be working (LONGEST_TURN_MS of the daemon). */
const STILL_MS = 60_000;
/** The screen is read at most this often. */
const READ_MS = 1_000;
/** A number with its parts and its unit, such as `12:04:59`, `3.5 MB` or `10:32 am`. */
const NUMBER = /\d+(?:[.,:]\d+)*\s?(?:\p{L}{1,3}(?!\p{L}))?/gu;
const SIGNS = /[^\p{L}]+/gu;

export class StillScreen {
  #state: StillScreenState | null;

  constructor(state?: StillScreenState | null) {
    this.#state = state ?? null;
  }

  state(): StillScreenState | null {
    return this.#state;
  }

  /** Called when the program may begin to work: the time begins again. */
  begin(): void {
    this.#state = null;
  }

  /** @returns True if the words have been the same for STILL_MS. */
  look(rowsOf: () => readonly string[], now: number): boolean {
    const before = this.#state;
    if (before && now - before.readMs < READ_MS) return false;
    const words = digest(rowsOf().join('\n').replace(NUMBER, '').replace(SIGNS, ' '));
    const since = before?.words === words ? before.since : now;
    this.#state = { words, since, readMs: now };
    return now - since >= STILL_MS;
  }
}

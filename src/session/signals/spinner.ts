/**
 * Spinner: whether the row that says that an agent works still turns.
 *
 * In:   readings in order, with the time of their record and the quiet before it.
 * Out:  the same readings; a row that says `busy` counts no more once it has stood still for STALE_SPINNER_MS.
 */
import type { Reading } from './signals.js';

export interface SpinnerState {
  readonly row: string;
  /** Time of the record at which the row was first seen as it is. */
  readonly since: number;
  readonly isStale: boolean;
}

/**
 * Spinners turn several times a second. An agent that is busy with something else may leave its own standing for a
 * moment.
 */
export const STALE_SPINNER_MS = 5_000;

export class Spinner {
  #seen: SpinnerState | null;

  constructor(state?: SpinnerState | null) {
    this.#seen = state ?? null;
  }

  state(): SpinnerState | null {
    return this.#seen;
  }

  /** It turns, as far as is known: quiet of STALE_SPINNER_MS would say that it does not. */
  get isTurning(): boolean {
    return this.#seen !== null && !this.#seen.isStale;
  }

  /** Takes a reading of what stands there now. */
  take(reading: Reading, now: number, quietMs: number): Reading {
    const { busyRow: row } = reading;
    if (row === null) this.#seen = null;
    else {
      const before = this.#seen?.row === row ? this.#seen : { row, since: now, isStale: false };
      const isStale = before.isStale || quietMs >= STALE_SPINNER_MS || now - before.since >= STALE_SPINNER_MS;
      this.#seen = { ...before, isStale };
    }
    return this.judge(reading);
  }

  /** The reading, without taking it. */
  judge(reading: Reading): Reading {
    const isStale = this.#seen?.isStale === true && reading.busyRow === this.#seen.row;
    if (!isStale || reading.activity !== 'busy') return reading;
    return { ...reading, activity: reading.isReady ? 'idle' : null };
  }
}

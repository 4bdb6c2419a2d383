/**
 * Spinner: detects whether the row that shows an agent's activity still changes.
 *
 * In:   readings in order, with the time of their record and the quiet before it.
 * Out:  the same readings. A row that shows `busy` no longer counts once it has not changed for STALE_SPINNER_MS.
 */
import type { Reading } from './signals.js';

export interface SpinnerState {
  readonly row: string;
  /** Time of the record at which the row first had its current text. */
  readonly since: number;
  readonly isStale: boolean;
}

/** A running spinner changes several times a second. An agent that is busy may stop it for a moment. */
export const STALE_SPINNER_MS = 5_000;

export class Spinner {
  #seen: SpinnerState | null;

  constructor(state?: SpinnerState | null) {
    this.#seen = state ?? null;
  }

  state(): SpinnerState | null {
    return this.#seen;
  }

  /** True if the spinner counts as turning: quiet of STALE_SPINNER_MS would change that. */
  get isTurning(): boolean {
    return this.#seen !== null && !this.#seen.isStale;
  }

  /** Takes a reading of the current screen, and returns it without a stopped spinner. */
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

  /** Like `take`, without remembering the reading. */
  judge(reading: Reading): Reading {
    const isStale = this.#seen?.isStale === true && reading.busyRow === this.#seen.row;
    if (!isStale || reading.activity !== 'busy') return reading;
    return { ...reading, activity: reading.isReady ? 'idle' : null };
  }
}

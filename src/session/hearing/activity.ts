/**
 * Activity: remembers the last reported activity of the program, from any source.
 *
 * A new turn implies that the program works, so the activity is reported again after a turn begins.
 */
import type { ActivityFinding } from '../../ears/index.js';

interface ActivityState {
  readonly activity: ActivityFinding['activity'];
  readonly turn: number;
  /** True if the program was reported as busy in this turn, now or before. Undefined in states of older versions. */
  readonly hasWorked?: boolean;
}

export class ActivityMemory {
  #told: ActivityState | null;

  /** @param state  The result of an earlier `state()`. */
  constructor(state?: unknown) {
    this.#told = (state as ActivityState | null | undefined) ?? null; // `state()` returned it
  }

  state(): unknown {
    return this.#told;
  }

  /** Called when another finding implies that the program works: the next activity is reported, whatever it is. */
  forget(): void {
    this.#told = null;
  }

  /** @returns True if the activity has changed. */
  change(activity: ActivityFinding['activity'], turn: number): boolean {
    const told = this.#told;
    if (told?.activity === activity && told.turn === turn) return false;
    const hasWorked = activity === 'busy' || (told?.turn === turn && told.hasWorked === true);
    this.#told = { activity, turn, hasWorked };
    return true;
  }

  /** True if the program was reported as busy in this turn, and as idle since. */
  hasRested(turn: number): boolean {
    return this.#told?.activity === 'idle' && this.#told.turn === turn && this.#told.hasWorked === true;
  }
}

/**
 * Activity: the one place that remembers what was last told of what the program does, whoever saw it.
 *
 * A turn that begins says by itself that the program works: what is seen of it is told again then.
 */
import type { ActivityFinding } from '../ears/index.js';

interface ActivityState {
  readonly activity: ActivityFinding['activity'];
  readonly turn: number;
}

export class ActivityMemory {
  #told: ActivityState | null;

  /** @param state  What `state()` gave earlier. */
  constructor(state?: unknown) {
    this.#told = (state as ActivityState | null | undefined) ?? null; // our own checkpoint
  }

  state(): unknown {
    return this.#told;
  }

  /** @returns True if that is news. */
  change(activity: ActivityFinding['activity'], turn: number): boolean {
    const told = this.#told;
    if (told?.activity === activity && told.turn === turn) return false;
    this.#told = { activity, turn };
    return true;
  }
}

/**
 * Read scheduler: lets many sessions read their journals on one event loop without blocking it.
 *
 * In:   steps of sessions (`take`), each at most some milliseconds long.
 * Out:  each step is called once, in order. After SLICE_MS the event loop runs before the next one. Requests, keys and
 *       the events of other sessions therefore do not wait for all steps. Steps that are costly for the output they
 *       read (`slowly`) take at most half of the time, all of them together.
 *
 * Without steps there is no timer.
 */

/** A slice is longer than most steps, and too short for a person to notice. */
const SLICE_MS = 2;
/** Maximum pause before the next costly step. */
const MAX_REST_MS = 20;

interface ReadSchedulerPorts {
  readonly now?: () => number;
  /** Replaces setImmediate in tests: calls back after the event loop has run. */
  readonly afterOthers?: (next: () => void) => void;
  /** Replaces setTimeout in tests. */
  readonly afterMs?: (next: () => void, ms: number) => void;
}

/** Schedules the reading steps of all sessions. */
export class ReadScheduler {
  readonly #now: () => number;
  readonly #afterOthers: (next: () => void) => void;
  readonly #afterMs: (next: () => void, ms: number) => void;
  readonly #waiting: (() => void)[] = [];
  readonly #costly: (() => void)[] = [];
  #isResting = false;
  /** The end of the current slice; null before its first step. */
  #deadline: number | null = null;

  constructor(ports: ReadSchedulerPorts = {}) {
    this.#now = ports.now ?? (() => performance.now());
    this.#afterOthers = ports.afterOthers ?? ((next) => void setImmediate(next));
    this.#afterMs = ports.afterMs ?? ((next, ms) => void setTimeout(next, ms));
  }

  /** Calls the step: at once if there is time left and no step waits, otherwise in its turn. */
  take(step: () => void): void {
    this.#begin();
    if (this.#waiting.length > 0 || this.isOver()) this.#waiting.push(step);
    else step();
  }

  /** Calls the step after all waiting ones, never at once. */
  later(step: () => void): void {
    this.#begin();
    this.#waiting.push(step);
  }

  /**
   * Calls a costly step after a pause, and after the costly steps that already wait.
   * @param ms  The duration of the session's last step. The pause is as long, so that other sessions get as much time.
   */
  slowly(step: () => void, ms: number): void {
    this.#costly.push(step);
    this.#rest(ms);
  }

  #rest(ms: number): void {
    if (this.#isResting) return;
    this.#isResting = true;
    this.#afterMs(
      () => {
        this.#isResting = false;
        const step = this.#costly.shift();
        if (step) this.take(step);
        if (this.#costly.length > 0) this.#rest(SLICE_MS); // the step may not be costly any more
      },
      Math.min(MAX_REST_MS, Math.max(1, ms)),
    );
  }

  #begin(): void {
    if (this.#deadline !== null) return;
    this.#deadline = this.#now() + SLICE_MS;
    this.#afterOthers(() => this.#next());
  }

  #next(): void {
    this.#deadline = null;
    if (this.#waiting.length === 0) return;
    this.#begin();
    // Calls at least one step in each slice. Steps that are added meanwhile come after the waiting ones.
    do this.#waiting.shift()?.();
    while (this.#waiting.length > 0 && !this.isOver());
  }

  /** True if the current step should leave the rest of its work to a later one. */
  isOver(): boolean {
    return this.#deadline !== null && this.#now() >= this.#deadline;
  }
}

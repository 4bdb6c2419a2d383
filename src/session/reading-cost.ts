/**
 * Measures the time of a session's steps of reading, and finds sessions whose output is costly to read.
 *
 * Time by the clock is cheap to read, but includes the time of other processes. A session whose steps took long by the
 * clock is therefore measured in CPU time, which takes a system call, until they are short again.
 */

/** Output that needs more CPU time than this is costly. The session reader then rests between its steps. */
const COSTLY_MS_PER_BYTE = 1 / 1024;
/** The time that a step may take in addition: small outputs of many programs cost more per byte. */
const STEP_MS = 0.5;
/** Time of reading after which the cost is judged again. */
const WINDOW_MS = 50;

interface Clocks {
  /** Returns the time by the clock, in milliseconds. */
  readonly now: () => number;
  /** Returns the CPU time of this process, in milliseconds. */
  readonly cpuMs: () => number;
}

export class ReadingCost {
  readonly #clocks: Clocks;
  /** Time and number of the steps since the journal position `from`. */
  #window: { readonly ms: number; readonly steps: number; readonly from: number };
  #clock: () => number;
  #begunMs = 0;
  #isCostly = false;

  /** @param from  Journal position up to which was read. */
  constructor(from: number, clocks: Clocks) {
    this.#clocks = clocks;
    this.#clock = clocks.now;
    this.#window = { ms: 0, steps: 0, from };
  }

  /** True if the output of the last steps was costly. */
  get isCostly(): boolean {
    return this.#isCostly;
  }

  /** Called before a step. */
  begin(): void {
    this.#begunMs = this.#clock();
  }

  /**
   * Called after a step.
   * @param position  Journal position up to which was read.
   * @returns The time of the step, in milliseconds.
   */
  end(position: number): number {
    const tookMs = this.#clock() - this.#begunMs;
    const { ms, steps, from } = this.#window;
    this.#window = { ms: ms + tookMs, steps: steps + 1, from };
    if (this.#window.ms >= WINDOW_MS) this.#judge(position);
    return tookMs;
  }

  #judge(position: number): void {
    const { ms, steps, from } = this.#window;
    const { now, cpuMs } = this.#clocks;
    const tookLong = ms > (position - from) * COSTLY_MS_PER_BYTE + steps * STEP_MS;
    this.#isCostly = tookLong && this.#clock === cpuMs;
    this.#clock = tookLong ? cpuMs : now;
    this.#window = { ms: 0, steps: 0, from: position };
  }
}

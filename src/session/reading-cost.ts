/**
 * Measures the time of a session's steps of reading, and finds sessions whose output is costly to read.
 *
 * Time by the clock is cheap to read, but includes the time of other processes. A session whose steps took long by the
 * clock is therefore measured in CPU time until they are short again. That takes two system calls a step, so it is done
 * only after a long step. A step that is short by the clock took no more CPU time than that.
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

const NONE = { ms: 0, steps: 0, bytes: 0 };

export class ReadingCost {
  readonly #clocks: Clocks;
  /** Time and number of the measured steps, and the bytes of the journal that they read. */
  #window = NONE;
  #position: number;
  /** True if the steps of the window before took long by the clock. */
  #isSuspected = false;
  /** True if the last step took long by the clock. */
  #wasLong = true;
  #begunMs = 0;
  /** CPU time at the beginning of the step; null if it is measured by the clock. */
  #begunCpuMs: number | null = null;
  #isCostly = false;

  /** @param from  Journal position up to which was read. */
  constructor(from: number, clocks: Clocks) {
    this.#clocks = clocks;
    this.#position = from;
  }

  /** True if the output of the last steps was costly. */
  get isCostly(): boolean {
    return this.#isCostly;
  }

  /** Called before a step. */
  begin(): void {
    this.#begunCpuMs = this.#isSuspected && this.#wasLong ? this.#clocks.cpuMs() : null;
    this.#begunMs = this.#clocks.now();
  }

  /**
   * Called after a step.
   * @param position  Journal position up to which was read.
   * @returns The time of the step, in milliseconds.
   */
  end(position: number): number {
    const { now, cpuMs } = this.#clocks;
    const clockMs = now() - this.#begunMs;
    const tookMs = this.#begunCpuMs === null ? clockMs : cpuMs() - this.#begunCpuMs;
    const bytes = position - this.#position;
    this.#position = position;
    this.#wasLong = clockMs > STEP_MS;
    // Wall-clock time does not show whether a long step was interrupted.
    if (this.#isSuspected && this.#wasLong && this.#begunCpuMs === null) return tookMs;
    const { ms, steps, bytes: before } = this.#window;
    this.#window = { ms: ms + tookMs, steps: steps + 1, bytes: before + bytes };
    if (this.#window.ms >= WINDOW_MS) this.#judge();
    return tookMs;
  }

  #judge(): void {
    const { ms, steps, bytes } = this.#window;
    const tookLong = ms > bytes * COSTLY_MS_PER_BYTE + steps * STEP_MS;
    this.#isCostly = tookLong && this.#isSuspected;
    this.#isSuspected = tookLong;
    this.#window = NONE;
  }
}

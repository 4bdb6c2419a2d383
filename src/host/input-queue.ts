/**
 * A session's input: one job after the other, so that jobs are never mixed.
 *
 * In:   jobs of steps (bytes, pauses).
 * Out:  bytes to the program as far as it takes them; the end of each job, or its failure.
 *
 * A program that does not read takes some KB and then nothing. The queue then waits with growing pauses (and tries
 * again when the program prints), and refuses jobs beyond INPUT_QUEUE_BYTES. It has no timer when it is empty.
 */
import { OrchdError } from '../protocol/errors.js';
import { INPUT_QUEUE_BYTES } from './contract.js';

const FIRST_PAUSE_MS = 1;
/** The longest pause between two attempts to write: rare enough to be cheap, short enough not to be noticed. */
const LONGEST_PAUSE_MS = 64;

export type InputStep = { readonly bytes: Buffer } | { readonly settleMs: number };
interface InputJob {
  /** The name of the job, used by `proceed`. */
  readonly id?: string;
  readonly steps: readonly InputStep[];
  /**
   * Called once: with true when all bytes were written to the program; with false if it ended or closed its input
   * before.
   */
  readonly done: (isDone: boolean) => void;
}
interface InputPort {
  /** @returns Number of bytes written; 0 if none can be written now; -1 if none can ever be written. */
  write(bytes: Buffer): number;
}

interface Running {
  readonly job: InputJob;
  step: number;
  offset: number;
}

export class InputQueue {
  readonly #port: InputPort;
  readonly #jobs: Running[] = [];
  #queuedBytes = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | null = null;
  /** The reason for the timer: the program's input is full, or a step is a pause. */
  #waits: 'full' | 'settle' | null = null;
  #isEnded = false;

  constructor(port: InputPort) {
    this.#port = port;
  }

  /**
   * Checks that the queue has room for this number of bytes.
   *
   * @throws {OrchdError} ORCHD_INPUT_FULL
   */
  reserve(bytes: number): void {
    if (this.#queuedBytes + bytes <= INPUT_QUEUE_BYTES) return;
    throw new OrchdError(
      'ORCHD_INPUT_FULL',
      `${this.#queuedBytes} bytes of input wait to be read already, and at most ${INPUT_QUEUE_BYTES} may`,
      { queued_bytes: this.#queuedBytes, bytes },
    );
  }

  push(job: InputJob): void {
    if (this.#isEnded) {
      job.done(false);
      return;
    }
    this.#queuedBytes += bytesOf(job);
    this.#jobs.push({ job, step: 0, offset: 0 });
    if (this.#jobs.length === 1) this.#pump();
  }

  /** Called when the program prints: it may have read its input, so the queue tries to write at once. */
  nudge(): void {
    if (this.#waits !== 'full') return;
    this.#rest(null, 0);
    this.#pump();
  }

  /** Ends the pause of the job `id`. Does nothing if that job is not in a pause. */
  proceed(id: string): void {
    if (this.#waits !== 'settle' || this.#jobs[0]?.job.id !== id) return;
    this.#rest(null, 0);
    this.#pump();
  }

  /** Called when the session has ended. All waiting jobs fail, in order. */
  end(): void {
    this.#isEnded = true;
    this.#rest(null, 0);
    for (const { job } of this.#jobs.splice(0)) job.done(false);
    this.#queuedBytes = 0;
  }

  #pump(): void {
    // A `done` callback may push a job and so call this method again, hence `#waits` is checked in each round.
    for (let running = this.#jobs[0]; running && !this.#waits && !this.#isEnded; running = this.#jobs[0]) {
      const step = running.job.steps[running.step];
      if (!step) {
        this.#jobs.shift();
        running.job.done(true);
        continue;
      }
      if ('settleMs' in step) {
        running.step++;
        this.#rest('settle', step.settleMs);
        return;
      }
      if (!this.#type(running, step.bytes)) return;
      running.step++;
      running.offset = 0;
    }
  }

  /** @returns True if all bytes were written to the program. */
  #type(running: Running, bytes: Buffer): boolean {
    while (running.offset < bytes.length) {
      const count = this.#port.write(bytes.subarray(running.offset));
      if (count < 0) {
        this.end();
        return false;
      }
      if (count === 0) {
        this.#rest('full', this.#pauseMs);
        this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
        return false;
      }
      this.#pauseMs = FIRST_PAUSE_MS;
      running.offset += count;
      this.#queuedBytes -= count;
    }
    return true;
  }

  #rest(waits: 'full' | 'settle' | null, ms: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#waits = waits;
    this.#timer = waits ? setTimeout(() => this.#wake(), ms) : null;
  }

  #wake(): void {
    this.#timer = null;
    this.#waits = null;
    this.#pump();
  }
}

const bytesOf = (job: InputJob): number =>
  job.steps.reduce((sum, step) => sum + ('bytes' in step ? step.bytes.length : 0), 0);

/**
 * Typed input: text that was typed and not submitted yet, and the writes of orchd in progress. The text is known only
 * of orchd's own writes. Of a person's keystrokes the number is known.
 */
import type { InputRecord } from '../../host/contract.js';
import { MAX_ECHO_CHARS } from './sides/echo-watch.js';

export interface TypedInputState {
  readonly unechoed: number;
  readonly unsubmitted: string;
  readonly writes: readonly (readonly [string, number])[];
}

/** The input that an Enter submits. */
interface Submitted {
  /** Text of orchd's writes. */
  readonly text: string;
  /** Number of keystrokes that were not echoed yet, including the Enter. */
  readonly keystrokes: number;
}

/** Maximum number of remembered writes that have begun and not ended. The host allows one at a time. */
const MAX_OPEN_WRITES = 64;

export class TypedInput {
  /** Number of keystrokes since the last output. */
  #unechoed = 0;
  /** Text of writes since the last Enter. */
  #unsubmitted = '';
  /** Positions of `begin` records by write. */
  readonly #writes: Map<string, number>;

  constructor(state?: TypedInputState) {
    this.#writes = new Map(state?.writes);
    this.#unechoed = state?.unechoed ?? 0;
    this.#unsubmitted = state?.unsubmitted ?? '';
  }

  state(): TypedInputState {
    return { unechoed: this.#unechoed, unsubmitted: this.#unsubmitted, writes: [...this.#writes] };
  }

  /** Called when the program has printed something. */
  printed(): void {
    this.#unechoed = 0;
  }

  take({ writeId, phase, text, length, position }: InputRecord): void {
    if (writeId !== null && phase === 'begin') {
      this.#writes.set(writeId, position);
      const oldest = this.#writes.keys().next().value;
      if (this.#writes.size > MAX_OPEN_WRITES && oldest !== undefined) this.#writes.delete(oldest);
    }
    if (text === null) this.#unechoed += length;
    else this.#unsubmitted = (this.#unsubmitted + text).slice(0, MAX_ECHO_CHARS);
  }

  /** True if the write has begun and not ended. */
  hasBegun(writeId: string): boolean {
    return this.#writes.has(writeId);
  }

  /** @returns The position where the write began. */
  end(writeId: string): number | undefined {
    const from = this.#writes.get(writeId);
    this.#writes.delete(writeId);
    return from;
  }

  /** Text of orchd's writes since the last Enter. */
  get unsubmitted(): string {
    return this.#unsubmitted;
  }

  submit(): Submitted {
    const submitted = { text: this.#unsubmitted, keystrokes: this.#unechoed };
    this.#unsubmitted = '';
    this.#unechoed = 0;
    return submitted;
  }
}

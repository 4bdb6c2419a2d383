/**
 * Writes frames to the terminal, each as one synchronized update, so that it is never seen half drawn. While the
 * terminal is slow, nothing is written.
 */
import { inLocale } from './ascii.js';

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

type Output = Pick<NodeJS.WriteStream, 'write' | 'once' | 'off'>;

export class SynchronizedOutput {
  readonly #stdout: Output;
  readonly #onDrain: () => void;
  #state: 'ready' | 'slow' | 'closed' = 'ready';

  /** @param drained  Called when a slow terminal takes frames again. */
  constructor(stdout: Output, drained: () => void) {
    this.#stdout = stdout;
    this.#onDrain = () => {
      if (this.#state !== 'slow') return;
      this.#state = 'ready';
      drained();
    };
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  write(text: string): void {
    if (this.#stdout.write(BEGIN + inLocale(text) + END)) return;
    this.#state = 'slow';
    this.#stdout.once('drain', this.#onDrain);
  }

  close(): void {
    this.#state = 'closed';
    this.#stdout.off('drain', this.#onDrain);
  }
}

/**
 * The end of the daemon, in two phases: first every part stops deciding (`onStop`), then each part is closed
 * (`onClose`), the newest first.
 */
import type { Log } from '../log.js';

/** Collects the callbacks for the end of the daemon, and calls them in order. */
export class Lifetime {
  readonly #log: Pick<Log, 'info'>;
  readonly #exit: () => void;
  readonly #stops: (() => void)[] = [];
  readonly #closes: (() => unknown)[] = [];
  /** True once the daemon's end was requested. */
  isStopping = false;

  /** @param exit  Ends the process. */
  constructor(log: Pick<Log, 'info'>, exit: () => void) {
    this.#log = log;
    this.#exit = exit;
  }

  /** Registers a function that stops the decisions of a part. */
  onStop(stop: () => void): void {
    this.#stops.push(stop);
  }

  /** Registers a function that closes a part. */
  onClose(close: () => unknown): void {
    this.#closes.push(close);
  }

  async end(reason: string): Promise<void> {
    this.isStopping = true;
    this.#log.info(reason);
    for (const stop of this.#stops) stop();
    for (const close of this.#closes.toReversed()) await close();
    this.#exit();
  }
}

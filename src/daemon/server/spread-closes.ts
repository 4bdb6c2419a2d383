/**
 * Spreads the work for connections that end over turns of the event loop. Thousands of clients may go at once, for
 * example when a script with many event streams is killed. Node reports all of them in one turn, and each one ends its
 * stream, its subscription and its timers.
 *
 * In:   the connections of a server.
 * Out:  their events `end` and `close`, in order: the first AT_ONCE of a turn at once, the rest in slices of SLICE_MS.
 */
import type { EventEmitter } from 'node:events';
import { SLICE_MS } from '../concurrency/index.js';

/** Maximum number of connections closed in one turn: more than one person's clients have. */
const AT_ONCE = 32;

interface EndsInTurnPorts {
  readonly now?: () => number;
  /** Replaces setImmediate in tests. */
  readonly afterOthers?: (next: () => void) => void;
}

export class SpreadCloses {
  readonly #now: () => number;
  readonly #afterOthers: (next: () => void) => void;
  #waiting: (() => void)[] = [];
  /** Number of events that were passed on at once in this turn. */
  #passed = 0;
  #isScheduled = false;

  constructor(ports: EndsInTurnPorts = {}) {
    this.#now = ports.now ?? (() => performance.now());
    this.#afterOthers = ports.afterOthers ?? ((next) => void setImmediate(next));
  }

  /** Call this before listeners are added that need the order of `end` and other events. */
  watch(socket: EventEmitter & { readonly destroyed: boolean }): void {
    const emit = socket.emit.bind(socket);
    socket.emit = (name: string | symbol, ...values: unknown[]): boolean => {
      if (name !== 'end' && name !== 'close') return emit(name, ...values);
      if (this.#waiting.length === 0 && this.#passed < AT_ONCE) {
        this.#passed++;
        this.#schedule();
        return emit(name, ...values);
      }
      // A connection that was destroyed meanwhile has no end any more. Its `close` is waiting, too.
      this.#waiting.push(() => {
        if (name === 'close' || !socket.destroyed) emit(name, ...values);
      });
      this.#schedule();
      return true;
    };
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#afterOthers(() => this.#goOn());
  }

  #goOn(): void {
    this.#isScheduled = false;
    this.#passed = 0;
    const until = this.#now() + SLICE_MS;
    let done = 0;
    try {
      while (done < this.#waiting.length && this.#now() < until) this.#waiting[done++]?.();
    } finally {
      this.#waiting = this.#waiting.slice(done);
      if (this.#waiting.length > 0) this.#schedule();
    }
  }
}

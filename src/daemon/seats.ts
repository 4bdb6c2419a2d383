/**
 * Who decides how large a session's terminal is, of all who sit at it. Pure.
 *
 * The client in control is the one that attached, typed or took it last; who only looks is never in control. When it leaves, the one
 * that was before it is. A size that was set by hand (`orchd resize`) stays until control, or that client's own size, changes.
 */
import type { Size } from '../protocol/index.js';

export interface Seat {
  /** The client's own; null for one that takes the session's as it is. */
  size: Size | null;
  readonly isReadOnly: boolean;
}

export class Seats {
  /** The one that did something last at the end. */
  #seats: Seat[] = [];

  get isEmpty(): boolean {
    return this.#seats.length === 0;
  }

  get inControl(): Seat | null {
    return this.#seats.findLast((seat) => seat.size !== null && !seat.isReadOnly) ?? null;
  }

  /** Comes, types or takes control. @returns Whether another one is in control now. */
  act(seat: Seat): boolean {
    if (this.#seats.at(-1) === seat) return false; // with every key
    return this.#change(() => {
      this.#seats = [...this.#seats.filter((other) => other !== seat), seat];
    });
  }

  /** @returns Whether another one is in control now. */
  leave(seat: Seat): boolean {
    return this.#change(() => {
      this.#seats = this.#seats.filter((other) => other !== seat);
    });
  }

  #change(change: () => void): boolean {
    const before = this.inControl;
    change();
    return this.inControl !== before;
  }
}

/**
 * Determines the size of a session's terminal when several clients are attached. Pure.
 *
 * The client in control is the one that last attached, typed or took control. A read-only client is never in control.
 * When the client in control leaves, the previous one takes over. A size set by hand (`orchd resize`) stays until the
 * control, or that client's own size, changes.
 */
import type { Size } from '../../protocol/index.js';

export interface Seat {
  /** The client's own size; null for one that accepts the session's size. */
  size: Size | null;
  readonly isReadOnly: boolean;
}

export class Seats {
  /** Clients in the order of their last activity, the latest at the end. */
  #seats: Seat[] = [];

  get isEmpty(): boolean {
    return this.#seats.length === 0;
  }

  get inControl(): Seat | null {
    return this.#seats.findLast((seat) => seat.size !== null && !seat.isReadOnly) ?? null;
  }

  /** Called when a client attaches, types or takes control. @returns True if the control has changed. */
  act(seat: Seat): boolean {
    if (this.#seats.at(-1) === seat) return false; // the usual case, for every key
    return this.#change(() => {
      this.#seats = [...this.#seats.filter((other) => other !== seat), seat];
    });
  }

  /** @returns True if the control has changed. */
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

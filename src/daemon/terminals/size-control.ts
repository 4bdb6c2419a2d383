/**
 * Determines the size of a session's terminal when several clients are attached. Pure.
 *
 * The client in control is the one that last attached, typed or took control. A read-only client is never in control.
 * When the client in control leaves, the previous one takes over. A size set by hand (`orchd resize`) stays until the
 * control, or that client's own size, changes.
 */
import type { Size } from '../../protocol/index.js';

export interface AttachedClient {
  /** The client's own size; null for one that accepts the session's size. */
  size: Size | null;
  readonly isReadOnly: boolean;
}

export class SizeControl {
  /** Clients in the order of their last activity; the most recent is last. */
  #clients: AttachedClient[] = [];

  get isEmpty(): boolean {
    return this.#clients.length === 0;
  }

  get inControl(): AttachedClient | null {
    return this.#clients.findLast((client) => client.size !== null && !client.isReadOnly) ?? null;
  }

  /**
   * Called when a client attaches, types or takes control.
   * @returns True if the control has changed.
   */
  act(client: AttachedClient): boolean {
    if (this.#clients.at(-1) === client) return false; // the usual case, for every key
    return this.#change(() => {
      this.#clients = [...this.#clients.filter((other) => other !== client), client];
    });
  }

  /** @returns True if the control has changed. */
  leave(client: AttachedClient): boolean {
    return this.#change(() => {
      this.#clients = this.#clients.filter((other) => other !== client);
    });
  }

  #change(change: () => void): boolean {
    const before = this.inControl;
    change();
    return this.inControl !== before;
  }
}

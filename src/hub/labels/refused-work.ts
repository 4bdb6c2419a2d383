/**
 * The work of others that this machine has refused, because it has not enrolled the key of the machine that offers it.
 *
 * Another machine may accept such work, so it stays in the queue. It is looked at again after a pause, which doubles up
 * to LONGEST_PAUSE_MS. At most MAX_OF_SENDER pieces of one sender, and MAX_SENDERS senders, are kept like this. Further
 * work is removed from the queue; a sender that still waits for it offers it again later. So one sender cannot fill the
 * queue of a label with work that no machine takes.
 */

const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;
/**
 * Work that the server does not offer again within this many pauses was taken by another machine, or was cancelled. It
 * is then forgotten.
 */
const PAUSES_KEPT = 2;
export const MAX_OF_SENDER = 100;
const MAX_SENDERS = 1_000;

export class RefusedWork {
  /** For each sender: the ids of the refused work, each with the time in milliseconds until which it is remembered. */
  readonly #senders = new Map<string, Map<string, number>>();

  /**
   * @param deliveries  How often the server has delivered it, from 1.
   * @param now  Milliseconds of a clock that only goes forward.
   * @returns Milliseconds until it is looked at again; null if it is to be removed from the queue.
   */
  pauseMs(from: string, id: string, deliveries: number, now: number): number | null {
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(deliveries - 1, 10));
    const known = this.#ofSender(from, now);
    if (!known || (!known.has(id) && known.size >= MAX_OF_SENDER)) return null;
    known.set(id, now + PAUSES_KEPT * pause);
    return pause;
  }

  /** Returns the refused work of a sender that is still remembered; null if there are too many senders. */
  #ofSender(from: string, now: number): Map<string, number> | null {
    const known = this.#senders.get(from);
    if (!known && this.#senders.size >= MAX_SENDERS) this.#forget(now);
    if (!known && this.#senders.size >= MAX_SENDERS) return null;
    const found = known ?? new Map<string, number>();
    this.#senders.set(from, found);
    if (found.size >= MAX_OF_SENDER) for (const [id, until] of found) if (until < now) found.delete(id);
    return found;
  }

  #forget(now: number): void {
    for (const [from, known] of this.#senders) {
      for (const [id, until] of known) if (until < now) known.delete(id);
      if (known.size === 0) this.#senders.delete(from);
    }
  }
}

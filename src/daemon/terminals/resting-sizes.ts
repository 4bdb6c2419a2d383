/**
 * Remembers the size that each session had before clients decided it, and restores it after a small client has left.
 *
 * In:   clients that begin and cease to decide the size of a session.
 * Out:  the size to restore, RESTORE_MS after the last client has left, unless another one comes.
 * A session that was shown in a cell of the grid would stay as small as the cell. Its agent would paint a screen that
 * neither people nor the reader of screens can read well. Larger sizes stay, as in tmux.
 */
import type { Size } from '../../protocol/index.js';

/** A client that goes from one view of a session to another is away for less than this. */
export const RESTORE_MS = 1_000;
/** The screens of smaller terminals are not kept. */
const MIN_SIZE = { cols: 80, rows: 20 } as const;

interface Resting {
  readonly size: Size;
  timer: NodeJS.Timeout | null;
}

export class RestingSizes {
  readonly #known = new Map<string, Resting>();

  /** Called when a client begins to decide the size. @param size  The present size of the session. */
  take(sessionId: string, size: Size): void {
    const known = this.#known.get(sessionId);
    if (!known) {
      this.#known.set(sessionId, { size, timer: null });
      return;
    }
    if (known.timer !== null) clearTimeout(known.timer);
    known.timer = null;
  }

  /**
   * Called when no client decides the size any more.
   * @param left     The size of the client that left.
   * @param restore  Called with the earlier size, if the other one is too small.
   */
  leave(sessionId: string, left: Size, restore: (size: Size) => void): void {
    const known = this.#known.get(sessionId);
    const isSmall = left.cols < MIN_SIZE.cols || left.rows < MIN_SIZE.rows;
    if (!known || !isSmall) {
      this.#known.delete(sessionId);
      return;
    }
    known.timer = setTimeout(() => {
      this.#known.delete(sessionId);
      restore(known.size);
    }, RESTORE_MS);
    known.timer.unref();
  }

  forget(sessionId: string): void {
    const timer = this.#known.get(sessionId)?.timer;
    if (timer) clearTimeout(timer);
    this.#known.delete(sessionId);
  }
}

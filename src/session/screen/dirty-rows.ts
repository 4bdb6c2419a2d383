/**
 * Dirty rows: the rows of a terminal's screen that were written to. It replaces xterm.js's own tracker, which knows
 * only the first and the last of them.
 *
 * @see InputHandler.ts of xterm.js 6.0.0, `IDirtyRowTracker`
 */
const MAX_ROWS = 1024;

export class DirtyRows {
  /** The range that xterm.js reads for a renderer. There is no renderer here. */
  readonly start = 0;
  readonly end = 0;
  readonly #rows = new Uint8Array(MAX_ROWS).fill(1);
  readonly #kept = new Uint8Array(MAX_ROWS);

  has(row: number): boolean {
    return row >= MAX_ROWS || this.#rows[row] === 1;
  }

  clear(): void {
    this.#rows.fill(0);
  }

  /**
   * Called when the whole screen scrolls by a row: the marks of written rows move along. xterm.js itself would mark all
   * rows.
   * @param scroll  Scrolls.
   */
  scroll(rows: number, scroll: () => void): void {
    if (rows > MAX_ROWS) {
      scroll();
      return;
    }
    const [kept, marks] = [this.#kept, this.#rows];
    for (let row = 1; row < rows; row++) kept[row - 1] = marks[row] as number; // within bounds
    kept[rows - 1] = 1;
    scroll();
    for (let row = 0; row < rows; row++) marks[row] = kept[row] as number; // within bounds
  }

  // ── called by xterm.js ────────────────────────────────────────────────────────────────────────────────────────────

  /** Called by xterm.js when a parse begins. */
  clearRange(): void {}

  markDirty(row: number): void {
    if (row < MAX_ROWS) this.#rows[row] = 1;
  }

  markRangeDirty(first: number, last: number): void {
    this.#rows.fill(1, Math.min(first, last), Math.max(first, last) + 1);
  }

  markAllDirty(): void {
    this.#rows.fill(1);
  }
}

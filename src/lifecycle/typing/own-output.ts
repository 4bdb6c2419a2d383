/**
 * Own output: determines if a program prints by itself, such as the output of a build, while its question is open.
 * Pure.
 *
 * In:   looks at the screen, with their times in milliseconds.
 * Out:  true if new rows of words came in at least two looks of the last 15 seconds (`isPrinting`), and when the
 *       program printed last (`printedAt`).
 */
import { freshRows } from './submission-evidence.js';

/** Minimum time between two looks: one frame that is painted in pieces counts once. */
const LOOK_MS = 1_000;
const WITHIN_MS = 15_000;

export class OwnOutput {
  #rows: readonly string[] | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The times of the last two looks that showed new rows. */
  #changes: readonly number[] = [];
  #printedAt: number;

  constructor(now: number) {
    this.#printedAt = now;
  }

  get printedAt(): number {
    return this.#printedAt;
  }

  /** Called for output while no question is open. */
  noteOutput(now: number): void {
    this.#printedAt = now;
  }

  isDue(now: number): boolean {
    return now - this.#lookedAt >= LOOK_MS;
  }

  /** @param isAnswer  True if the program may have printed because a key was pressed. */
  look(rows: readonly string[], now: number, isAnswer: boolean): void {
    const isNew = this.#rows !== null && freshRows(this.#rows, rows).length > 0;
    if (isNew || this.#rows === null) this.#printedAt = now;
    if (!isAnswer && isNew) this.#changes = [...this.#changes.slice(-1), now];
    this.#rows = rows;
    this.#lookedAt = now;
  }

  isPrinting(now: number): boolean {
    const [first, second] = this.#changes;
    return first !== undefined && second !== undefined && now - first <= WITHIN_MS;
  }
}

/**
 * Remembers which lines of a file were returned, so that a rewritten file (replaced, or truncated and filled again)
 * repeats none.
 *
 * In:   lines with content, with the agent's time of each.
 * Out:  true if a line is new.
 * Until the file is rewritten, every line is new, because an agent may say the same twice. Afterwards, a known line is
 * skipped. Lines from before this memory are recognized by their time. A line without a time might be one of them and
 * is also skipped; its message is then found on the screen.
 */
import { createHash } from 'node:crypto';

/** Maximum number of remembered lines. They take about one megabyte of memory. */
const MAX_LINES = 10_000;

export class ReturnedLines {
  readonly #digests = new Set<string>();
  /**
   * Milliseconds since the epoch: older lines may have been returned before; null if all returned lines are remembered.
   */
  #since: number | null;
  #isAgain = false;
  readonly #now: () => number;

  constructor(since: number | null, now: () => number) {
    this.#since = since;
    this.#now = now;
  }

  /** Called when the file was rewritten. */
  beginAgain(): void {
    this.#isAgain = true;
  }

  /** @param at  Time at which the agent wrote the line, in milliseconds since the epoch; null if unknown. */
  isNew(line: string, at: number | null): boolean {
    const digest = createHash('sha1').update(line).digest('base64');
    const mayBeOld = this.#since !== null && (at === null || at < this.#since);
    if (this.#isAgain && (mayBeOld || this.#digests.has(digest))) return false;
    if (this.#digests.size >= MAX_LINES) {
      this.#digests.clear();
      this.#since = this.#now();
    }
    this.#digests.add(digest);
    return true;
  }
}

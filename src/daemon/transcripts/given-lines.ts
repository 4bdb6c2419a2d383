/**
 * Remembers which lines of a file were given, so that one that is written anew (replaced, or emptied and filled again) repeats nothing.
 *
 * In:   lines that say something, with the agent's time of each.
 * Out:  whether a line is new.
 * Until the file is written anew every line is new: an agent may say the same twice. From then on a line that was given is passed over.
 * What was given before this memory begins is told by its time; what has none then might be old, and is passed over as well: it is heard
 * from the screen.
 */
import { createHash } from 'node:crypto';

/** About a megabyte. */
const MAX_LINES = 10_000;

export class GivenLines {
  readonly #digests = new Set<string>();
  /** Milliseconds since the epoch: lines older than this may have been given as well; null if all that were are known. */
  #since: number | null;
  #isAgain = false;

  constructor(since: number | null) {
    this.#since = since;
  }

  /** The file is written anew. */
  beginAgain(): void {
    this.#isAgain = true;
  }

  /** @param at  When the agent wrote it, milliseconds since the epoch; null where it does not say. */
  isNew(line: string, at: number | null): boolean {
    const digest = createHash('sha1').update(line).digest('base64');
    const mayBeOld = this.#since !== null && (at === null || at < this.#since);
    if (this.#isAgain && (mayBeOld || this.#digests.has(digest))) return false;
    if (this.#digests.size >= MAX_LINES) {
      this.#digests.clear();
      this.#since = Date.now();
    }
    this.#digests.add(digest);
    return true;
  }
}

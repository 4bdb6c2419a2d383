/**
 * Composers: the input lines of agent programs. One reader, with settings for the differences between programs.
 *
 *     ────────────        `above`
 *     ❯ the first row     `first` matches the sign before the words, which is removed
 *       the second
 *     ────────────        `below`
 *
 * The program's own words, such as a placeholder, are left out. They are dim, or `placeholder` matches them, or they
 * follow a visible cursor that has nothing before it. If the program and the emulator count the columns of an emoji
 * differently, remains of old text are left in such places as well. A person's draft whose cursor was moved to its
 * beginning looks the same; orchd knows such a draft by the keys that were pressed.
 */
import type { ScreenView } from '../adapter.js';

export interface ComposerTraits {
  /** Matches the row directly above the composer; null if the composer's own rows identify it. */
  readonly above: RegExp | null;
  /** Matches the row directly below the composer. */
  readonly below: RegExp;
  /** Matches the sign before the words of its first row; `next` that of the others. */
  readonly first: RegExp;
  readonly next: RegExp;
  /** Matches the program's own words that are not dim. */
  readonly placeholder?: RegExp;
  /** Number of rows at the composer's end that contain no input, such as the model's name. Default: 0. */
  readonly footRows?: number;
  /** Number of rows that may be below it: the status, suggestions. A composer further up is old text. */
  readonly rowsBelow: number;
}

interface ComposerLine {
  /** The text without the prompt sign, which takes `column` columns. */
  readonly words: string;
  readonly column: number;
}

/** Maximum height: a taller one is not a composer. */
const MAX_ROWS = 60;

/** Returns the text of the lowest composer on the screen; null if there is none. */
export function readComposer({ rows, cursor }: ScreenView, traits: ComposerTraits): string | null {
  const { above, below, first, next, placeholder, footRows = 0, rowsBelow } = traits;
  let last = rows.length - 1;
  while (last > 0 && rows[last]?.text === '') last--;
  for (let end = last; end > 0 && last - end <= rowsBelow; end--) {
    if (!below.test(rows[end]?.text ?? '')) continue;
    let begin = end;
    while (begin > 0 && end - begin <= MAX_ROWS) {
      const row = rows[begin - 1]?.text ?? '';
      if (above ? above.test(row) : !next.test(row)) break;
      begin--;
    }
    const isBegun = above ? begin > 0 && above.test(rows[begin - 1]?.text ?? '') : begin < end;
    if (!isBegun || begin === end || !first.test(rows[begin]?.text ?? '')) continue;
    const lines = rows.slice(begin, Math.max(begin + 1, end - footRows)).map(({ bright }, at) => {
      const words = bright.replace(at === 0 ? first : next, '').trimEnd();
      return { words, column: bright.trimEnd().length - words.length };
    });
    const text = lines
      .map(({ words }) => words)
      .join('\n')
      .trim();
    const isOwn = (cursor && isBlankBefore(lines, cursor.y - begin, cursor.x)) || placeholder?.test(text);
    return isOwn ? '' : text;
  }
  return null;
}

/** True if the cursor is in these lines and has no text before it. */
function isBlankBefore(lines: readonly ComposerLine[], y: number, x: number): boolean {
  const row = lines[y];
  if (!row) return false;
  const before = row.words.slice(0, Math.max(0, x - row.column));
  return [...lines.slice(0, y).map(({ words }) => words), before].every((words) => words.trim() === '');
}

/**
 * Composers: the input lines of agent programs. One reader, with settings for the differences between programs.
 *
 *     ────────────        above it
 *     ❯ the first row     the sign before the words is cut off
 *       the second
 *     ────────────        below it
 *
 * The program's own words, such as a placeholder, are not read: they are dim, or `placeholder` names them, or they are
 * after a visible cursor that has nothing before it. Cells that the program and the emulator count differently (emoji)
 * leave such rests as well. A person's draft whose cursor was moved to its beginning looks the same; orchd knows it by
 * the keys that were pressed.
 */
import type { ScreenView } from './adapter.js';

export interface ComposerTraits {
  /** The row right above it; null where its rows alone tell. */
  readonly above: RegExp | null;
  /** The row right below it. */
  readonly below: RegExp;
  /** The signs before the words of its first row, and of the others. */
  readonly first: RegExp;
  readonly next: RegExp;
  /** Words that are the program's own though they are not dim. */
  readonly placeholder: RegExp | null;
  /** Rows at its end that are no words: the model's name. */
  readonly footRows: number;
  /** Number of rows that may be below it: the status, suggestions. A composer further up is old text. */
  readonly rowsBelow: number;
}

interface ComposerLine {
  /** Without what stands before the words, which takes up `column` columns. */
  readonly words: string;
  readonly column: number;
}

/** A composer that is taller is none. */
const MAX_ROWS = 60;

/** Returns the text of the lowest composer on the screen; null if there is none. */
export function readComposer({ rows, cursor }: ScreenView, traits: ComposerTraits): string | null {
  const { above, below, first, next, placeholder, footRows, rowsBelow } = traits;
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

/** True if the cursor stands in these lines and nothing stands before it. */
function isBlankBefore(lines: readonly ComposerLine[], y: number, x: number): boolean {
  const row = lines[y];
  if (!row) return false;
  const before = row.words.slice(0, Math.max(0, x - row.column));
  return [...lines.slice(0, y).map(({ words }) => words), before].every((words) => words.trim() === '');
}

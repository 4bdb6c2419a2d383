/**
 * Marked rows: the rows of a screen that show a text that was read from it.
 *
 * A renderer indents, wraps and frames text, so rows are compared without blanks and frames. The lowest run of rows
 * that are parts of the text, in order, is returned, with the rows of the fence around them. Copies further up are
 * older.
 */
const FRAME = /[\s\u2500-\u257f\u2580-\u259f●⏺•✦◆⎿└│>]/gu;

/** @returns Their indexes, from 0; [] if the text is not on the screen any more. */
export function markedRows(rows: readonly string[], text: string): number[] {
  const wanted = squash(text);
  if (wanted === '') return [];
  const parts = rows.map(squash);
  for (let last = parts.length - 1; last >= 0; last--) {
    const run = runUpTo(parts, wanted, last);
    if (run.length > 0) return withFence(rows, run);
  }
  return [];
}

/**
 * Returns the run of rows ending at `last` that spell the end of `wanted`. A run that reaches the top row counts
 * although its beginning has scrolled off. Otherwise [].
 */
function runUpTo(parts: readonly string[], wanted: string, last: number): number[] {
  const run: number[] = [];
  let rest = wanted;
  for (let at = last; at >= 0 && rest !== ''; at--) {
    const part = parts[at] ?? '';
    if (part === '') {
      if (run.length === 0) return [];
      continue; // an empty row within it
    }
    const isStart = part.endsWith(rest); // words may stand before it on its first row
    if (!isStart && !rest.endsWith(part)) return [];
    run.unshift(at);
    rest = isStart ? '' : rest.slice(0, -part.length);
  }
  return rest === '' || run.includes(0) ? run : [];
}

const OPENING = /^[^`~]*(?:`{3,}|~{3,})\s*orchestrator-message\b/;
const CLOSING = /^[^`~\w]*(?:`{3,}|~{3,})\W*$/;

/** Adds the rows of the fence directly above and below. */
function withFence(rows: readonly string[], run: readonly number[]): number[] {
  const above = (run[0] ?? 0) - 1;
  const below = (run.at(-1) ?? 0) + 1;
  const isOpened = OPENING.test(rows[above] ?? '');
  const isClosed = CLOSING.test(rows[below] ?? '');
  return [...(isOpened ? [above] : []), ...run, ...(isClosed ? [below] : [])];
}

const squash = (text: string): string => text.replace(FRAME, '');

/**
 * Echoed rows: where a program shows what was typed into it. A fence in there is the person's, and does not begin an
 * example of the agent's.
 *
 *     ❯ ```js         13:05   behind a prompt's glyph or without, and perhaps with a time
 *       const x = 1;          the other lines, indented and wrapped as the program likes
 *       ```
 *
 * Only texts that hold a fence are remembered, the last MAX_TEXTS of them. A program that draws markdown writes fences
 * of tildes with backquotes, and closes an open one:
 *
 *     ~~~ yes ~~~            typed: a fence with the info string `yes ~~~`
 *     ```yes ~~~             shown
 *     ```
 */
import { withoutBlanks } from '../../../protocol/index.js';
import { type PlainRow, type Rows, squashedWords } from './rows.js';

const MAX_TEXTS = 32;
const MAX_CHARS = 8192;
const BACKQUOTES = '```';
const HAS_FENCE = /^[^\S\n]*(?:`{3}|~{3})/m;
/** Maximum number of rows between the beginning of an echo and a fence in it. */
const MAX_ROWS_ABOVE = 200;
/** Maximum number of characters before a person's words: glyphs, a time, a name. */
const MAX_CHARS_BEFORE = 16;

/** Adds a submitted text to the remembered ones. Returns the same list if the text contains no fence. */
export function rememberTyped(typed: readonly string[], text: string): readonly string[] {
  if (!HAS_FENCE.test(text)) return typed;
  const drawn = asDrawn(text);
  const shown = drawn === null ? [text] : [text, drawn];
  return [...typed, ...shown.map((each) => withoutBlanks(each).slice(0, MAX_CHARS))].slice(-MAX_TEXTS);
}

const FENCE_LINE = /^[^\S\n]{0,3}(`{3,}|~{3,})(.*)$/;

/** Returns a text as a program shows it that draws its markdown; null if it has no fence of tildes. */
function asDrawn(text: string): string | null {
  let open: string | null = null;
  let hasTildes = false;
  const lines = text.split('\n').map((line) => {
    const [, mark = '', rest = ''] = FENCE_LINE.exec(line) ?? [];
    const isEnd: boolean = open !== null && mark.startsWith(open) && rest.trim() === '';
    const isBegin = open === null && mark !== '' && !(mark.startsWith('`') && rest.includes('`'));
    if (!isEnd && !isBegin) return line;
    open = isEnd ? null : mark;
    if (mark.startsWith('`')) return line;
    hasTildes = true;
    return `${BACKQUOTES}${rest}`;
  });
  if (!hasTildes) return null;
  return [...lines, ...(open === null ? [] : [BACKQUOTES])].join('\n');
}

/** Returns the index after the last row of the echo that contains row `at`; -1 if no echo does. */
export function echoEnd(rows: Rows, at: number, typed: readonly string[]): number {
  if (typed.length === 0) return -1;
  for (let from = at; from >= Math.max(0, at - MAX_ROWS_ABOVE); from--) {
    const row = rows[from];
    if (!row) return -1;
    const shown = wordsOf(row);
    for (const text of typed) {
      const end = endOfEcho(rows, from, shown, text);
      if (end > at) return end;
    }
  }
  return -1;
}

/** Returns what a row shows, without blanks. Signs that look like an ornament, such as `~~~`, are words of an echo. */
const wordsOf = (row: PlainRow): string => (row.isOrnament ? withoutBlanks(row.text) : squashedWords(row));

function endOfEcho(rows: Rows, from: number, shown: string, text: string): number {
  for (let before = 0; before <= MAX_CHARS_BEFORE && before < shown.length; before++) {
    if (!text.startsWith(shown.slice(before))) continue;
    let chars = shown.length - before;
    let end = from + 1;
    for (; end < rows.length && chars < text.length; end++) {
      const row = rows[end];
      const next = row && wordsOf(row);
      if (next === undefined || !text.startsWith(next, chars)) break;
      chars += next.length;
    }
    // The rows must continue to the end of the typed text. If only the beginning is equal, they are not an echo.
    if (chars === text.length) return end;
  }
  return -1;
}

/**
 * Styled words: tells if a program draws some words of a string in another style than the words beside them.
 *
 *     {"question": "Shall it run now, or later?"}     a renderer of markdown has left out the signs around a word that
 *                                ───                  it draws in italics: `*now*`
 *
 * In:   the cells of a row of a program without an adapter.
 * Out:  true if the row has such words. Colours of the parts of JSON, of numbers, links and paths are none.
 */
import {
  BACKGROUND,
  BOLD,
  CELL,
  CODE_POINT,
  HAS_CONTENT,
  INVERSE,
  IS_COMBINED,
  ITALIC,
  KIND,
  type Line,
  RGB,
  STRIKETHROUGH,
} from '../../terminal/index.js';

const FOREGROUND = 1;
const SPACE = 0x20;
const TEXT_STYLE = KIND | RGB | INVERSE | BOLD | STRIKETHROUGH;
const GROUND_STYLE = KIND | RGB | ITALIC;

/** Cells with one style, one after the other. */
interface Run {
  text: string;
  readonly foreground: number;
  readonly background: number;
}

const LETTER = /[\p{L}\p{N}]/u;
/** Escapes of JSON, which programs draw in a colour of their own. */
const ESCAPES = /^\s*(?:\\(?:u[0-9a-fA-F]{4}|.)\s*)+$/u;
/** Words that programs colour without having changed them: numbers, values of JSON, links, paths. */
const COLOURED = /^\s*(?:[\d.,:%/+-]+|true|false|null|https?:\S*|(?:~|\.{1,2})?\/\S*)\s*$/u;

/** @param span  The columns that are read; null for all. */
export function hasStyledWords(line: Line, span: readonly [from: number, to: number] | null): boolean {
  const [from, to] = span ?? [0, line.length];
  if (!hasStyles(line, from, to)) return false;
  const runs = joined(runsOf(line, from, to).filter(({ text }) => !ESCAPES.test(text) && !COLOURED.test(text)));
  return runs.some(({ text }, at) => {
    if (text.includes('"') || !LETTER.test(text)) return false;
    const [before, after] = [runs[at - 1]?.text.trimEnd(), runs[at + 1]?.text.trimStart()];
    if (before === undefined && after === undefined) return false;
    // A whole string, whose quotes have another colour.
    const isString = (before ?? '"').endsWith('"') && (after ?? '"').startsWith('"');
    return !isString;
  });
}

/** True if the row has characters of two styles. */
function hasStyles({ _data: cells }: Line, from: number, to: number): boolean {
  let isFirst = true;
  let foreground = 0;
  let background = 0;
  for (let at = from * CELL; at < to * CELL; at += CELL) {
    const code = (cells[at] ?? 0) & HAS_CONTENT;
    if (code === 0 || code === SPACE) continue;
    const text = (cells[at + FOREGROUND] ?? 0) & TEXT_STYLE;
    const ground = (cells[at + BACKGROUND] ?? 0) & GROUND_STYLE;
    if (isFirst) {
      isFirst = false;
      foreground = text;
      background = ground;
    } else if (text !== foreground || ground !== background) return true;
  }
  return false;
}

/** Returns the runs of a row. A blank has the style of the character before it. */
function runsOf({ _data: cells, _combined: combined }: Line, from: number, to: number): Run[] {
  const runs: Run[] = [];
  for (let column = from; column < to; column++) {
    const at = column * CELL;
    const content = cells[at] ?? 0;
    const code = content & CODE_POINT;
    const text = content & IS_COMBINED ? (combined[column] ?? '') : code === 0 ? '' : String.fromCodePoint(code);
    const last = runs.at(-1);
    const foreground = (cells[at + FOREGROUND] ?? 0) & TEXT_STYLE;
    const background = (cells[at + BACKGROUND] ?? 0) & GROUND_STYLE;
    const isSame = last?.foreground === foreground && last.background === background;
    if (last && (isSame || text.trim() === '')) last.text += text;
    else if (text.trim() !== '') runs.push({ text, foreground, background });
  }
  return runs;
}

/** Joins runs of the same style that stand beside each other. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    const isSame = last?.foreground === run.foreground && last.background === run.background;
    if (last && isSame) last.text += run.text;
    else all.push({ ...run });
  }
  return all;
}

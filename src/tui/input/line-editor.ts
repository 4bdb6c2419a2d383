/**
 * A text field: the text as graphemes and the position of the cursor. Pure.
 *
 * `edit` keeps the text on one line. `editText` accepts newlines, also in pastes, and moves between lines.
 */
import { withoutControls } from '../../protocol/index.js';
import { split } from '../paint/text.js';
import type { Key, KeyName } from './key-reader.js';

export interface Line {
  readonly pieces: readonly string[];
  /** Index of the piece after the cursor. */
  readonly at: number;
}

export const EMPTY_LINE: Line = { pieces: [], at: 0 };
export const textOf = ({ pieces }: Line): string => pieces.join('');

/** Returns a text with the cursor at its end. */
export function lineOf(text: string): Line {
  const pieces = split(text);
  return { pieces, at: pieces.length };
}

/** Returns the line after a key; null if the key does not edit. */
export function edit(line: Line, key: Key): Line | null {
  return key.kind === 'paste' ? insert(line, pastedLine(key.text)) : change(line, key);
}

/** Returns the text after a key, for texts of several lines; null if the key does not edit. */
export function editText(line: Line, key: Key): Line | null {
  if (key.kind === 'paste') return insert(line, pastedText(key.text));
  if (key.kind !== 'named' || key.with === 'ctrl') return change(line, key);
  if (key.name === 'up') return vertically(line, -1);
  if (key.name === 'down') return vertically(line, 1);
  return change(line, key);
}

export const newline = (line: Line): Line => insert(line, '\n');

/** Terminals send pasted newlines as carriage returns. */
const pastedText = (text: string): string => withoutControls(text.replaceAll(/\r\n?/g, '\n')).replaceAll('\t', '  ');
const pastedLine = (text: string): string => withoutControls(text.replaceAll(/\s+/g, ' ')).trim();

function change(line: Line, key: Key): Line | null {
  switch (key.kind) {
    case 'char':
      return insert(line, key.text);
    case 'ctrl':
      return CTRL[key.letter]?.(line) ?? null;
    case 'alt':
      return ALT[key.text]?.(line) ?? null;
    case 'named':
      if (key.with === 'alt' || key.with === 'ctrl') return WORDS[key.name]?.(line) ?? null;
      return NAMED[key.name]?.(line) ?? null;
    default:
      return null;
  }
}

type Step = (line: Line) => Line;
const moveTo = ({ pieces }: Line, at: number): Line => ({ pieces, at: Math.max(0, Math.min(pieces.length, at)) });
const left: Step = (line) => moveTo(line, line.at - 1);
const right: Step = (line) => moveTo(line, line.at + 1);
const home: Step = (line) => moveTo(line, lineStart(line));
const end: Step = (line) => moveTo(line, lineEnd(line));
const wordLeft: Step = (line) => moveTo(line, wordStart(line));
const wordRight: Step = (line) => moveTo(line, wordEnd(line));
const deleteWord: Step = (line) => remove(line, wordStart(line), line.at);

const NAMED: Readonly<Partial<Record<KeyName, Step>>> = {
  left,
  right,
  home,
  end,
  backspace: (line) => remove(line, Math.max(0, line.at - 1), line.at),
  delete: (line) => remove(line, line.at, line.at + 1),
};
const WORDS: Readonly<Partial<Record<KeyName, Step>>> = {
  left: wordLeft,
  right: wordRight,
  backspace: deleteWord,
};
const CTRL: Readonly<Record<string, Step>> = {
  a: home,
  e: end,
  b: left,
  f: right,
  d: (line) => remove(line, line.at, line.at + 1),
  k: (line) => remove(line, line.at, Math.max(lineEnd(line), Math.min(line.at + 1, line.pieces.length))),
  u: (line) => remove(line, Math.min(lineStart(line), Math.max(0, line.at - 1)), line.at),
  w: deleteWord,
};
const ALT: Readonly<Record<string, Step>> = {
  b: wordLeft,
  f: wordRight,
  d: (line) => remove(line, line.at, wordEnd(line)),
};

/** Characters that combine with the one before them, such as accents typed separately, are merged into its grapheme. */
function insert({ pieces, at }: Line, text: string): Line {
  const before = split(pieces.slice(0, at).join('') + text);
  return { pieces: [...before, ...pieces.slice(at)], at: before.length };
}

const remove = ({ pieces }: Line, from: number, to: number): Line => ({
  pieces: [...pieces.slice(0, from), ...pieces.slice(to)],
  at: from,
});

/** At position 0 no search: `lastIndexOf` counts a negative position from the end. */
const lineStart = ({ pieces, at }: Line): number => (at === 0 ? 0 : pieces.lastIndexOf('\n', at - 1) + 1);

function lineEnd({ pieces, at }: Line): number {
  const next = pieces.indexOf('\n', at);
  return next < 0 ? pieces.length : next;
}

/**
 * Moves to the line above or below, at the same column. Beyond the first and last line it moves to the ends of the
 * text.
 */
function vertically(line: Line, step: 1 | -1): Line {
  const start = lineStart(line);
  const column = line.at - start;
  if (step < 0) {
    if (start === 0) return moveTo(line, 0);
    const above = lineStart(moveTo(line, start - 1));
    return moveTo(line, Math.min(above + column, start - 1));
  }
  const next = lineEnd(line) + 1;
  if (next > line.pieces.length) return moveTo(line, line.pieces.length);
  return moveTo(line, Math.min(next + column, lineEnd(moveTo(line, next))));
}

function wordStart({ pieces, at }: Line): number {
  let start = at;
  while (start > 0 && isBlank(pieces[start - 1])) start -= 1;
  while (start > 0 && !isBlank(pieces[start - 1])) start -= 1;
  return start;
}

function wordEnd({ pieces, at }: Line): number {
  let to = at;
  while (to < pieces.length && isBlank(pieces[to])) to += 1;
  while (to < pieces.length && !isBlank(pieces[to])) to += 1;
  return to;
}

const isBlank = (piece: string | undefined): boolean => piece === ' ' || piece === '\n';

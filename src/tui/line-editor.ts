/** One line being typed: its text as graphemes and where the cursor stands. Pure. */
import { displayLine } from '../protocol/index.js';
import type { Key } from './key-reader.js';
import { split } from './text.js';

export interface Line {
  readonly pieces: readonly string[];
  /** Before which piece. */
  readonly at: number;
}

export const EMPTY_LINE: Line = { pieces: [], at: 0 };
export const textOf = ({ pieces }: Line): string => pieces.join('');

/** The line after a key; null when the key is none of the editor's. */
export function edit(line: Line, key: Key): Line | null {
  const { pieces, at } = line;
  switch (key.kind) {
    case 'char':
      return insert(line, key.text);
    case 'paste':
      return insert(line, displayLine(key.text));
    case 'ctrl':
      return CTRL[key.letter]?.(line) ?? null;
    case 'named':
      switch (key.name) {
        case 'left':
          return { pieces, at: Math.max(0, at - 1) };
        case 'right':
          return { pieces, at: Math.min(pieces.length, at + 1) };
        case 'home':
          return { pieces, at: 0 };
        case 'end':
          return { pieces, at: pieces.length };
        case 'backspace':
          return remove(line, Math.max(0, at - 1), at);
        case 'delete':
          return remove(line, at, Math.min(pieces.length, at + 1));
        default:
          return null;
      }
  }
}

const CTRL: Readonly<Record<string, (line: Line) => Line>> = {
  a: ({ pieces }) => ({ pieces, at: 0 }),
  e: ({ pieces }) => ({ pieces, at: pieces.length }),
  b: ({ pieces, at }) => ({ pieces, at: Math.max(0, at - 1) }),
  f: ({ pieces, at }) => ({ pieces, at: Math.min(pieces.length, at + 1) }),
  d: (line) => remove(line, line.at, line.at + 1),
  k: (line) => remove(line, line.at, line.pieces.length),
  u: (line) => remove(line, 0, line.at),
  w: (line) => remove(line, wordStart(line), line.at),
};

/** Characters that join with what stands before them (accents typed apart) become one piece with it. */
function insert({ pieces, at }: Line, text: string): Line {
  const before = split(pieces.slice(0, at).join('') + text);
  return { pieces: [...before, ...pieces.slice(at)], at: before.length };
}

const remove = ({ pieces }: Line, from: number, to: number): Line => ({
  pieces: [...pieces.slice(0, from), ...pieces.slice(to)],
  at: from,
});

function wordStart({ pieces, at }: Line): number {
  let start = at;
  while (start > 0 && pieces[start - 1] === ' ') start -= 1;
  while (start > 0 && pieces[start - 1] !== ' ') start -= 1;
  return start;
}

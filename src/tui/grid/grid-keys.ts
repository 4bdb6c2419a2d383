/** The keys that follow the prefix in the grid: their actions, and the words of the help. */
import type { SplitWay } from '../splits/index.js';
import type { Direction } from './grid-layout.js';

export type GridAction =
  | { readonly kind: 'focus'; readonly number: number }
  | { readonly kind: 'move' | 'resize'; readonly direction: Direction }
  | { readonly kind: 'split'; readonly way: SplitWay }
  | {
      readonly kind:
        | 'save'
        | 'next'
        | 'waiting'
        | 'mark'
        | 'together'
        | 'attach'
        | 'look_back'
        | 'drop'
        | 'leave'
        | 'help';
    };

const MOVES: Readonly<Record<string, Direction>> = {
  Left: 'left',
  Right: 'right',
  Up: 'up',
  Down: 'down',
  h: 'left',
  l: 'right',
  k: 'up',
  j: 'down',
};

/** Keys that move an edge of the focused screen. */
const RESIZES: Readonly<Record<string, Direction>> = { H: 'left', L: 'right', K: 'up', J: 'down' };
const SPLITS: Readonly<Record<string, SplitWay>> = { '|': '|', '%': '|', '-': '-', '"': '-' };

const SINGLE: Readonly<Record<string, Exclude<GridAction['kind'], 'focus' | 'move' | 'resize' | 'split'>>> = {
  Tab: 'next',
  n: 'next',
  w: 'waiting',
  m: 'mark',
  '*': 'together',
  z: 'attach',
  Enter: 'attach',
  S: 'save',
  '[': 'look_back',
  x: 'drop',
  d: 'leave',
  q: 'leave',
  '?': 'help',
};

export function gridAction(key: string): GridAction | null {
  if (/^[1-9]$/.test(key)) return { kind: 'focus', number: Number(key) };
  const direction = MOVES[key];
  if (direction !== undefined) return { kind: 'move', direction };
  const edge = RESIZES[key];
  if (edge !== undefined) return { kind: 'resize', direction: edge };
  const way = SPLITS[key];
  if (way !== undefined) return { kind: 'split', way };
  const kind = SINGLE[key];
  return kind === undefined ? null : { kind };
}

export const GRID_HINT =
  'd leave · ? keys · 1–9 arrows focus · | - split · HJKL size · z zoom · S save · * type into all · m mark · [ look back · ' +
  'w waiting · x drop';

/** The keys after the prefix, for the help. The most needed are first, because a small terminal cuts the rest. */
export const gridHelp = (prefix: string): readonly (readonly [keys: string, words: string])[] => [
  ['d q', 'leave; all sessions go on'],
  ['1–9 ←↑↓→', 'move the focus; so do h j k l, Tab and a click'],
  ['w', 'to the next screen that waits for you'],
  ['Enter z', `attach to it; ${prefix} d comes back`],
  ['[', 'look back at it; so does the wheel'],
  ['*', 'type into all screens, and back'],
  ['m', 'mark it: * then types into the marked screens'],
  ['| -', 'another session to the right of it, or below'],
  ['H J K L', 'move an edge of the screen'],
  ['S', 'save the split in the layout of the project'],
  ['x', 'take it out of the grid; the session goes on'],
  [prefix, `send ${prefix} to the program`],
];

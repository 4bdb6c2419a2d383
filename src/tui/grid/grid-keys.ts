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
  ...{ Left: 'left', Right: 'right', Up: 'up', Down: 'down' },
  ...{ h: 'left', l: 'right', k: 'up', j: 'down' },
};

/** These move an edge of the focused screen. */
const RESIZES: Readonly<Record<string, Direction>> = { H: 'left', L: 'right', K: 'up', J: 'down' };
const SPLITS: Readonly<Record<string, SplitWay>> = { '|': '|', '%': '|', '-': '-', '"': '-' };

const SINGLE: Readonly<Record<string, Exclude<GridAction['kind'], 'focus' | 'move' | 'resize' | 'split'>>> = {
  ...{ Tab: 'next', n: 'next', w: 'waiting', m: 'mark', '*': 'together', z: 'attach', Enter: 'attach' },
  ...{ S: 'save', '[': 'look_back', x: 'drop', d: 'leave', q: 'leave', '?': 'help' },
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
  'd leave · 1–9 arrows focus · | - split · HJKL size · z zoom · S save · * type into all · m mark · [ look back · ' +
  'w waiting · x drop';

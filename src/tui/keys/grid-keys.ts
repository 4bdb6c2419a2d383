/** The keys that follow the prefix in the grid. Pure. */
import { createPrefixTable, type Keys, type PrefixEntry, type PrefixTable, tableText } from './prefix-table.js';
import { presetOf } from './presets.js';

export type GridAction =
  | 'leave'
  | 'help'
  | 'screen'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'next'
  | 'waiting'
  | 'attach'
  | 'look_back'
  | 'together'
  | 'mark'
  | 'split_right'
  | 'split_below'
  | 'edge_left'
  | 'edge_right'
  | 'edge_up'
  | 'edge_down'
  | 'save'
  | 'drop';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const GRID = 'grid_';

/** The most needed actions are first, because a small terminal cuts the rest of the help and of the hint. */
const TABLE: readonly PrefixEntry<GridAction>[] = [
  { action: 'leave', keys: ['d', 'q'], word: 'leave', help: 'leave; all sessions go on' },
  { action: 'help', keys: ['?'], word: 'keys', help: 'show this' },
  { action: 'screen', keys: DIGITS, help: 'focus the screen with that number; so does a click' },
  { action: 'next', keys: ['Tab', 'n'], word: 'next', help: 'focus the next screen' },
  { action: 'waiting', keys: ['w'], word: 'waiting', help: 'focus the next screen that waits for you' },
  { action: 'attach', keys: ['z', 'Enter'], word: 'zoom', help: 'attach to it; leaving or zoom comes back' },
  { action: 'look_back', keys: ['['], word: 'look back', help: 'look back at it; so does the wheel' },
  { action: 'together', keys: ['*'], word: 'type into all', help: 'type into all screens, and back' },
  { action: 'mark', keys: ['m'], word: 'mark', help: 'mark it: only the marked screens are typed into together' },
  { action: 'drop', keys: ['x'], word: 'drop', help: 'take it out of the grid; the session goes on' },
  { action: 'split_right', keys: ['|', '%'], word: 'split right', help: 'show another session to the right of it' },
  { action: 'split_below', keys: ['-', '"'], word: 'split below', help: 'show another session below it' },
  { action: 'save', keys: ['S'], word: 'save', help: 'save the split in the layout of the project' },
  { action: 'left', keys: ['Left', 'h'], help: 'focus the screen to the left' },
  { action: 'right', keys: ['Right', 'l'], help: 'focus the screen to the right' },
  { action: 'up', keys: ['Up', 'k'], help: 'focus the screen above' },
  { action: 'down', keys: ['Down', 'j'], help: 'focus the screen below' },
  { action: 'edge_left', keys: ['H'], help: 'move an edge of the screen to the left' },
  { action: 'edge_right', keys: ['L'], help: 'move an edge of the screen to the right' },
  { action: 'edge_up', keys: ['K'], help: 'move an edge of the screen up' },
  { action: 'edge_down', keys: ['J'], help: 'move an edge of the screen down' },
];

/** True for the names in [keys] that are about the grid. */
export const isGridKey = (name: string): boolean => name.startsWith(GRID);

/** @throws {OrchdError} ORCHD_CONFIG for an unknown preset, action or key, or one key for two actions. */
export const gridKeys = (config: Keys): PrefixTable<GridAction> =>
  createPrefixTable(TABLE, GRID, presetOf(config)?.grid ?? {}, config);

/** Returns the part of [keys] for the grid as TOML. Default keys are commented out. */
export const gridKeysText = (config: Keys): string => `${tableText(TABLE, GRID, 'Grid, after the prefix', config)}\n`;

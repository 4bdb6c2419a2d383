/** `keys.preset`: the prefix and the keys of other multiplexers, for actions that orchd also has. Pure. */
import { keyError, nearest } from '../../protocol/index.js';
import type { AttachAction } from './attach-keys.js';
import type { GridAction } from './grid-keys.js';
import type { Keys } from './prefix-table.js';

interface Preset {
  readonly prefix: string;
  /** Keys in an attached terminal. */
  readonly attach: Readonly<Partial<Record<AttachAction, string>>>;
  readonly grid: Readonly<Partial<Record<GridAction, string>>>;
}

export const PRESET = 'preset';

const PRESETS: Readonly<Record<string, Preset>> = {
  tmux: {
    prefix: 'C-b',
    attach: { picker: 's w', waiting: 'Tab', kill: '& x', split_right: '% |', split_below: '" -' },
    grid: { next: 'o n Tab', split_right: '% |', split_below: '" -' },
  },
  screen: {
    prefix: 'C-a',
    attach: { picker: '" w', waiting: 'Tab', rename: 'A', kill: 'k K', split_below: 'S -' },
    // `S` splits here, so `s` saves the split.
    grid: { split_right: '|', split_below: 'S -', save: 's', drop: 'X x' },
  },
  zellij: {
    prefix: 'C-o',
    attach: { picker: 'w s', waiting: 'Tab', rename: 'r', read_only: 'R', kill: 'x', look_back: '[ e PageUp' },
    grid: { next: 'p n Tab', attach: 'f z Enter', split_right: '| r', look_back: '[ e', together: '* s' },
  },
};

export const presetNames = Object.keys(PRESETS);

/**
 * @returns Null if the configuration names no preset.
 * @throws {OrchdError} ORCHD_CONFIG for an unknown preset.
 */
export function presetOf(config: Keys): Preset | null {
  const name = config[PRESET];
  if (name === undefined || name === '') return null;
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (preset) return preset;
  const near = nearest(name, presetNames);
  const instead = near === null ? `there are ${presetNames.join(', ')}` : `did you mean ${near}?`;
  throw keyError(config, PRESET, `keys.preset is '${name}'; ${instead}`);
}

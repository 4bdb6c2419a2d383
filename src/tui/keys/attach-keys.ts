/** The keys that follow the prefix in an attached terminal, and the prefix. Pure. */
import { prefixName } from './prefix-reader.js';
import {
  createPrefixTable,
  type Keys,
  keyText,
  type PrefixEntry,
  type PrefixTable,
  tableText,
} from './prefix-table.js';
import { PRESET, presetNames, presetOf } from './presets.js';

export type AttachAction =
  | 'detach'
  | 'detach_others'
  | 'picker'
  | 'go_to'
  | 'next'
  | 'previous'
  | 'last'
  | 'waiting'
  | 'answer'
  | 'look_back'
  | 'allow_copy'
  | 'new'
  | 'rename'
  | 'kill'
  | 'command'
  | 'split_right'
  | 'split_below'
  | 'zoom'
  | 'read_only'
  | 'take'
  | 'help';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

const TABLE: readonly PrefixEntry<AttachAction>[] = [
  { action: 'detach', keys: ['d'], word: 'detach', help: 'leave; the session goes on' },
  { action: 'detach_others', keys: ['D'], help: 'detach the other clients of this session' },
  { action: 'picker', keys: ['s'], word: 'sessions', help: 'choose a session from a list; typing filters it' },
  { action: 'go_to', keys: DIGITS, help: 'the session with that number in the list' },
  { action: 'next', keys: ['n'], help: 'the next session' },
  { action: 'previous', keys: ['p'], help: 'the session before' },
  { action: 'last', keys: ['l'], help: 'the session you came from' },
  { action: 'waiting', keys: ['w', 'Tab'], word: 'waiting', help: 'the next session that waits for you' },
  { action: 'answer', keys: ['a'], word: 'answer', help: 'answer what this session asks' },
  {
    action: 'look_back',
    keys: ['[', 'PageUp'],
    word: 'look back',
    help: 'look back: scroll, search, copy; so does the wheel',
  },
  { action: 'allow_copy', keys: ['y'], help: 'copy what the program wants to copy' },
  { action: 'new', keys: ['c'], help: 'start a program in a new session' },
  { action: 'rename', keys: [','], help: 'rename this session' },
  { action: 'kill', keys: ['&'], help: 'end the program of this session, after y' },
  { action: 'command', keys: [':'], help: 'find an action by its name' },
  { action: 'split_right', keys: ['|'], help: 'show another session to the right of this one' },
  { action: 'split_below', keys: ['-'], help: 'show another session below this one' },
  { action: 'zoom', keys: ['z'], help: 'this row off, so that images pass; on again. In a split: back to it' },
  { action: 'read_only', keys: ['r'], help: 'type nothing, or type again' },
  { action: 'take', keys: ['t'], help: 'give the session this terminal’s size' },
  { action: 'help', keys: ['?'], word: 'keys', help: 'show this' },
];

const DEFAULT_PREFIX = 'C-]';
const PREFIX = 'prefix_';

export interface AttachKeys extends PrefixTable<AttachAction> {
  /** The prefix key, such as `C-]`. */
  readonly prefix: string;
  /** Returns what a person presses for an action, such as `Ctrl-] d`; the keys of the help if the action has no key. */
  pressedFor(action: AttachAction): string;
}

/** True for the names in [keys] that are about an attached terminal. */
export const isAttachKey = (name: string): boolean => name === PRESET || name.startsWith(PREFIX);

/**
 * @param prefix The option `tui.prefix`. If it is the default, a preset replaces it.
 * @throws {OrchdError} ORCHD_CONFIG for an unknown preset, action or key, or one key for two actions.
 */
export function attachKeys(prefix: string, config: Keys): AttachKeys {
  const preset = presetOf(config);
  const keys = createPrefixTable(TABLE, PREFIX, preset?.attach ?? {}, config);
  const chosen = prefix === DEFAULT_PREFIX && preset ? preset.prefix : prefix;
  return {
    ...keys,
    prefix: chosen,
    pressedFor: (action) => `${prefixName(chosen)} ${keys.keyOf(action) ?? keys.keyOf('help') ?? ''}`.trimEnd(),
  };
}

/** Returns the part of [keys] for attached terminals as TOML. Default keys are commented out. */
export function attachKeysText(config: Keys): string {
  const words = `Keys after the prefix, and the prefix itself, as in ${presetNames.join(', ')}`;
  return `${keyText(PRESET, '', words, config)}\n\n${tableText(TABLE, PREFIX, 'After the prefix', config)}\n`;
}

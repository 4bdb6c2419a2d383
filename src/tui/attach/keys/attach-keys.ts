/**
 * The keys that follow the prefix in an attached terminal. This table defines the actions, their default keys, the
 * help, and the hint shown after the prefix. The configuration's [keys] changes the keys: `preset` takes those of
 * another multiplexer, and `prefix_next = "n Tab"` gives one action other keys. Pure.
 */
import { keyError, nearest, type OrchdError } from '../../../protocol/index.js';

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

interface AttachKey {
  readonly action: AttachAction;
  /** Key names as in prefix-reader.ts. Help shows all of them. */
  readonly keys: readonly string[];
  /** Text for the hint shown after the prefix; without it the key is not in the hint. */
  readonly word?: string;
  /** Text for the help. */
  readonly help: string;
}

/** Keys that the configuration may name. */
const NAMED_KEYS: readonly string[] = ['Tab', 'PageUp', 'PageDown'];
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

const TABLE: readonly AttachKey[] = [
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

interface Preset {
  readonly prefix: string;
  readonly keys: Readonly<Partial<Record<AttachAction, string>>>;
}

/** The keys of other multiplexers for actions that orchd also has. */
const PRESETS: Readonly<Record<string, Preset>> = {
  tmux: { prefix: 'C-b', keys: { picker: 's w', waiting: 'Tab', kill: '& x', split_right: '% |', split_below: '" -' } },
  screen: { prefix: 'C-a', keys: { picker: '" w', waiting: 'Tab', rename: 'A', kill: 'k K', split_below: 'S -' } },
  zellij: {
    prefix: 'C-o',
    keys: { picker: 'w s', waiting: 'Tab', rename: 'r', read_only: 'R', kill: 'x', look_back: '[ e PageUp' },
  },
};

const DEFAULT_PREFIX = 'C-]';
const PREFIX = 'prefix_';
const PRESET = 'preset';

export interface AttachKeys {
  /** The prefix key, such as `C-]`. */
  readonly prefix: string;
  readonly table: readonly AttachKey[];
  find(key: string): AttachAction | null;
  /** The hint shown after the prefix: the most useful keys on one line. */
  readonly hint: string;
}

type Keys = Readonly<Record<string, string>>;

/** True for the names in [keys] that are about an attached terminal. */
export const isAttachKey = (name: string): boolean => name === PRESET || name.startsWith(PREFIX);

/**
 * @param prefix The option `tui.prefix`. If it is the default, a preset replaces it.
 * @throws {OrchdError} ORCHD_CONFIG for an unknown preset, action or key, or one key for two actions.
 */
export function attachKeys(prefix: string, config: Keys): AttachKeys {
  const preset = presetOf(config);
  const wrong = (name: string, words: string): OrchdError => keyError(config, name, words);
  const names = TABLE.map(({ action }) => PREFIX + action);
  for (const name of Object.keys(config).filter((one) => one.startsWith(PREFIX))) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    throw wrong(
      name,
      `[keys] has no action '${name}'; ${near === null ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
  const table = TABLE.map((entry): AttachKey => {
    const own = config[PREFIX + entry.action];
    const text = own ?? preset?.keys[entry.action];
    if (text === undefined) return entry;
    const keys = text.split(/\s+/).filter(Boolean);
    for (const key of keys) {
      if (!NAMED_KEYS.includes(key) && !/^[!-~]$/.test(key))
        throw wrong(
          PREFIX + entry.action,
          `keys.${PREFIX}${entry.action}: '${key}' is no key here; use one character, Tab, PageUp or PageDown`,
        );
    }
    return { ...entry, keys };
  });
  const actions = new Map<string, AttachAction>();
  for (const { action, keys } of table) {
    for (const key of keys) {
      const other = actions.get(key);
      if (other !== undefined) {
        const [mine, theirs] = config[PREFIX + action] === undefined ? [other, action] : [action, other];
        const words = `'${key}' is the key of ${PREFIX}${theirs}; give one of them another key`;
        throw wrong(PREFIX + mine, `keys.${PREFIX}${mine}: ${words}`);
      }
      actions.set(key, action);
    }
  }
  return {
    prefix: prefix === DEFAULT_PREFIX && preset ? preset.prefix : prefix,
    table,
    find: (key) => actions.get(key) ?? null,
    hint: table.flatMap(({ keys, word }) => (word && keys[0] ? [`${keys[0]} ${word}`] : [])).join(' · '),
  };
}

function presetOf(config: Keys): Preset | null {
  const name = config[PRESET];
  if (name === undefined || name === '') return null;
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (preset) return preset;
  const names = Object.keys(PRESETS);
  const near = nearest(name, names);
  const instead = near === null ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw keyError(config, PRESET, `keys.preset is '${name}'; ${instead}`);
}

/** Returns the part of [keys] for attached terminals as TOML. Default keys are commented out. */
export function attachKeysText(config: Keys): string {
  const line = (name: string, value: string, words: string): string => {
    const given = config[name];
    return `# ${words}\n${given === undefined ? '# ' : ''}${name} = ${JSON.stringify(given ?? value)}`;
  };
  const actions = TABLE.map(({ action, keys, help }) =>
    line(PREFIX + action, keys.join(' '), `After the prefix: ${help}`),
  );
  const presets = `Keys after the prefix, and the prefix itself, as in ${Object.keys(PRESETS).join(', ')}`;
  return `${[line(PRESET, '', presets), ...actions].join('\n\n')}\n`;
}

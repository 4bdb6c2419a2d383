/**
 * The map from keys to actions: the action table with the configuration's [keys] applied. Pure.
 *
 * A configured action has exactly the keys it is given, separated by blanks, and no key with "". A key has one meaning
 * in each place.
 */
import { keyError, nearest, type OrchdError } from '../../protocol/index.js';
import { KEYS_ARE, keyWords, readKeyName } from '../input/key-names.js';
import { attachKeysText, gridKeysText, isAttachKey, isGridKey } from '../keys/index.js';
import { type Action, GROUPS, holdsIn, type Where } from './action.js';
import { ACTIONS, type ActionName } from './actions.js';

export interface Keymap {
  find(where: Where, key: string): Action | null;
  keysOf(name: ActionName): readonly string[];
  /** Returns the label of the first key; '' if the action has no key. */
  keyOf(name: ActionName): string;
}

/**
 * @throws {OrchdError} ORCHD_CONFIG for an unknown action or key, or one key for two actions. The message names valid
 *   ones.
 */
export function createKeymap(config: Readonly<Record<string, string>>): Keymap {
  for (const name of Object.keys(config).filter((one) => !isAttachKey(one) && !isGridKey(one))) checkName(name, config);
  const keys = new Map(ACTIONS.map((action): [string, readonly string[]] => [action.name, keysFor(action, config)]));
  const wheres = [...new Set(Object.values(GROUPS).flatMap(({ where }): readonly Where[] => where))];
  const table = new Map(wheres.map((where) => [where, tableFor(where, keys, config)]));
  const keysOf = (name: ActionName): readonly string[] => keys.get(name) ?? [];
  return {
    find: (where, key) => table.get(where)?.get(key) ?? null,
    keysOf,
    keyOf: (name) => keyWords(keysOf(name)[0] ?? ''),
  };
}

function checkName(name: string, config: Readonly<Record<string, string>>): void {
  const wrong = (words: string): OrchdError => keyError(config, name, words);
  const action: Action | undefined = ACTIONS.find((one) => one.name === name);
  const movable = ACTIONS.filter((one: Action) => !one.isFixed).map((one) => one.name);
  if (!action) {
    const near = nearest(name, movable);
    const instead = near === null ? `there are ${movable.join(', ')}` : `did you mean ${near}?`;
    throw wrong(`[keys] has no action '${name}'; ${instead}`);
  }
  if (action.isFixed) throw wrong(`keys.${name}: its keys are always ${keysWords(action.keys)}`);
}

function keysFor(action: Action, config: Readonly<Record<string, string>>): readonly string[] {
  const text = config[action.name];
  if (text === undefined) return action.keys;
  const wrong = (words: string): OrchdError => keyError(config, action.name, words);
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const key = readKeyName(word);
      if (key === null) throw wrong(`keys.${action.name}: '${word}' is not a key; keys are ${KEYS_ARE}`);
      if (key === 'C-c') throw wrong(`keys.${action.name}: C-c always leaves the TUI`);
      if (action.group === 'typing' && ([...key].length === 1 || key === 'Space' || key === 'BSpace'))
        throw wrong(`keys.${action.name}: '${word}' is text there; take one with C- or M-, or a function key`);
      return key;
    });
}

function tableFor(
  where: Where,
  keys: ReadonlyMap<string, readonly string[]>,
  config: Readonly<Record<string, string>>,
): ReadonlyMap<string, Action> {
  const table = new Map<string, Action>();
  for (const action of ACTIONS as readonly Action[]) {
    if (!holdsIn(action, where)) continue;
    for (const key of keys.get(action.name) ?? []) {
      const other = table.get(key);
      if (other && other !== action) {
        const isConfigured = config[other.name] !== undefined || config[action.name] !== undefined;
        if (isConfigured && givesWay(action, config)) continue;
        if (!(isConfigured && givesWay(other, config))) throw twice(key, action, other, config);
      }
      table.set(key, action);
    }
  }
  return table;
}

/** True if the action has its default keys and gives them up for configured keys of other actions. */
const givesWay = ({ name, yields }: Action, config: Readonly<Record<string, string>>): boolean =>
  yields === true && config[name] === undefined;

/** Names the configured action first, because the person has just written it. */
function twice(key: string, one: Action, other: Action, config: Readonly<Record<string, string>>): OrchdError {
  const [mine, theirs] = config[one.name] === undefined ? [other, one] : [one, other];
  const advice = theirs.isFixed
    ? 'take another key'
    : `take another key, or give ${theirs.name} another one as well (now ${keysWords(theirs.keys)})`;
  return keyError(
    config,
    mine.name,
    `keys.${mine.name}: '${key}' is the key of ${theirs.name} (${theirs.words}); ${advice}`,
  );
}

const keysWords = (keys: readonly string[]): string =>
  keys.length > 3 ? `${keys[0]}–${keys.at(-1)}` : keys.map(keyWords).join(', ');

/** Returns the section [keys] as TOML: each action with its description and keys. Default keys are commented out. */
export function keysText(config: Readonly<Record<string, string>>): string {
  const lines = (ACTIONS as readonly Action[])
    .filter(({ isFixed }) => !isFixed)
    .map(({ name, words, keys }) => {
      const given = config[name];
      const line = `${name} = ${JSON.stringify(given ?? keys.join(' '))}`;
      return `# ${words}\n${given === undefined ? '# ' : ''}${line}`;
    });
  return (
    '# Keys of the TUI, separated by blanks: ' +
    `${KEYS_ARE}.\n[keys]\n${lines.join('\n\n')}\n\n${attachKeysText(config)}\n${gridKeysText(config)}`
  );
}

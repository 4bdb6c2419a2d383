/**
 * A table of the keys that follow the prefix: the actions, their default keys, the help, and the hint. The
 * configuration's [keys] gives an action other keys (`prefix_next = "n Tab"`), and so does a preset. Pure.
 *
 * The tables of attached terminals and of the grid have this form (attach-keys.ts, grid-keys.ts).
 */
import { keyError, nearest, type OrchdError } from '../../protocol/index.js';

export interface PrefixEntry<A extends string> {
  readonly action: A;
  /** Key names as in prefix-reader.ts. Help shows all of them. */
  readonly keys: readonly string[];
  /** Text for the hint shown after the prefix; without it the key is not in the hint. */
  readonly word?: string;
  /** Text for the help. */
  readonly help: string;
}

export interface PrefixTable<A extends string> {
  readonly table: readonly PrefixEntry<A>[];
  find(key: string): A | null;
  /** Returns the first key of an action; undefined if it has none. */
  keyOf(action: A): string | undefined;
  /** Returns the place of a key among the keys of its action, from 1; 0 for a key without an action. */
  numberOf(key: string): number;
  /** The hint shown after the prefix: the most useful keys on one line. */
  readonly hint: string;
}

/** The section [keys]. */
export type Keys = Readonly<Record<string, string>>;

/** Names of keys that the configuration may use, besides single characters. */
const NAMED_KEYS: readonly string[] = ['Tab', 'Enter', 'PageUp', 'PageDown', 'Left', 'Right', 'Up', 'Down'];
const KEYS_ARE = 'one character, Tab, Enter, PageUp, PageDown, Left, Right, Up or Down';

/**
 * @param start   The start of the names in [keys], such as `prefix_`.
 * @param preset  Keys for some of the actions. [keys] comes before them.
 * @throws {OrchdError} ORCHD_CONFIG for an unknown action or key, or one key for two actions.
 */
export function createPrefixTable<A extends string>(
  entries: readonly PrefixEntry<A>[],
  start: string,
  preset: Readonly<Partial<Record<A, string>>>,
  config: Keys,
): PrefixTable<A> {
  const names = entries.map(({ action }) => start + action);
  for (const name of Object.keys(config)) if (name.startsWith(start)) checkName(name, names, config);
  const table = entries.map((entry): PrefixEntry<A> => {
    const name = start + entry.action;
    const text = config[name] ?? preset[entry.action];
    return text === undefined ? entry : { ...entry, keys: readKeys(name, text, config) };
  });
  const found = new Map<string, { readonly action: A; readonly number: number }>();
  for (const { action, keys } of table) {
    for (const [at, key] of keys.entries()) {
      const other = found.get(key)?.action;
      if (other !== undefined && other !== action) throw twice(key, start, [other, action], config);
      found.set(key, { action, number: at + 1 });
    }
  }
  return {
    table,
    find: (key) => found.get(key)?.action ?? null,
    keyOf: (action) => table.find((entry) => entry.action === action)?.keys[0],
    numberOf: (key) => found.get(key)?.number ?? 0,
    hint: table.flatMap(({ keys, word }) => (word && keys[0] ? [`${keys[0]} ${word}`] : [])).join(' · '),
  };
}

function checkName(name: string, names: readonly string[], config: Keys): void {
  if (names.includes(name)) return;
  const near = nearest(name, names);
  const instead = near === null ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw keyError(config, name, `[keys] has no action '${name}'; ${instead}`);
}

function readKeys(name: string, text: string, config: Keys): readonly string[] {
  const keys = text.split(/\s+/).filter(Boolean);
  for (const key of keys) {
    if (!NAMED_KEYS.includes(key) && !/^[!-~]$/.test(key))
      throw keyError(config, name, `keys.${name}: '${key}' is not a key here; use ${KEYS_ARE}`);
  }
  return keys;
}

/** The error for a key of two actions. It names the action that the configuration has changed. */
function twice(key: string, start: string, [other, action]: readonly [string, string], config: Keys): OrchdError {
  const isOwn = config[start + action] !== undefined;
  const [mine, theirs] = (isOwn ? [action, other] : [other, action]).map((one) => start + one);
  return keyError(config, String(mine), `keys.${mine}: '${key}' is the key of ${theirs}; give one of them another key`);
}

/** Returns the lines of a table for the section [keys], as TOML. Default keys are commented out. */
export const tableText = <A extends string>(
  entries: readonly PrefixEntry<A>[],
  start: string,
  place: string,
  config: Keys,
): string =>
  entries
    .map(({ action, keys, help }) => keyText(start + action, keys.join(' '), `${place}: ${help}`, config))
    .join('\n\n');

export function keyText(name: string, value: string, words: string, config: Keys): string {
  const given = config[name];
  return `# ${words}\n${given === undefined ? '# ' : ''}${name} = ${JSON.stringify(given ?? value)}`;
}

/** The help page: every action with its keys, in as many columns as the terminal has room for. Pure. */

import { prefixName } from '../attach/prefix-reader.js';
import { keyWords } from '../input/key-names.js';
import { ACTIONS, type Action, type ActionName, GROUPS } from '../model/actions.js';
import type { State } from '../model/store.js';
import { layoutOf } from './layout.js';
import { fill, widthOf, wrap } from './text.js';

/** Keys of the terminal and of dialogs. They are not in the table of actions, but help must list them. */
const ALSO = (prefix: string): readonly (readonly [string, string])[] => [
  [`${prefix} d`, 'back from a session that is attached; ? there says more'],
  ['Ctrl-C', 'leave, from everywhere'],
  ['click', 'selects, and once more opens; the wheel scrolls. With Shift the terminal selects text'],
];

interface HelpLine {
  readonly keys: string;
  readonly words: string;
}
interface HelpGroup {
  readonly title: string;
  readonly lines: readonly HelpLine[];
}

function groupsFor({ keymap, prefix }: Pick<State, 'keymap' | 'prefix'>): readonly HelpGroup[] {
  const groups = Object.entries(GROUPS).map(([group, { title }]) => ({
    title,
    lines: (ACTIONS as readonly Action[])
      .filter((action) => action.group === group)
      .map(({ name, words }) => ({ keys: shownKeys(keymap.keysOf(name as ActionName)), words })),
  }));
  return [...groups, { title: 'Besides', lines: ALSO(prefixName(prefix)).map(([keys, words]) => ({ keys, words })) }];
}

/** Formats keys as `j ↓`; more than three keys as the first and the last; `—` for an action without a key. */
export function shownKeys(keys: readonly string[]): string {
  if (keys.length === 0) return '—';
  const words = keys.map(keyWords);
  return keys.length > 3 ? `${words[0]}–${words.at(-1)}` : words.join(' ');
}

const KEY_COLS = { least: 8, most: 16 } as const;

export function helpRows(state: Pick<State, 'keymap' | 'prefix' | 'paint'>, columns: number): string[] {
  const { paint } = state;
  const groups = groupsFor(state);
  const widest = Math.max(...groups.flatMap(({ lines }) => lines.map(({ keys }) => widthOf(keys))));
  const keyCols = Math.max(KEY_COLS.least, Math.min(widest, KEY_COLS.most, Math.floor(columns / 3)));
  return groups.flatMap(({ title, lines }, i) => [
    ...(i === 0 ? [] : [fill('', columns)]),
    ` ${paint('bold', fill(title, columns - 1))}`,
    ...lines.flatMap(({ keys, words }) => {
      const shown = wrap(keys, keyCols);
      const said = wrap(words, Math.max(1, columns - keyCols - 6));
      return Array.from({ length: Math.max(shown.length, said.length) }, (_, y) => {
        const key = paint('cyan', fill(shown[y] ?? '', keyCols));
        return `   ${key}  ${fill(said[y] ?? '', columns - keyCols - 5)}`;
      });
    }),
  ]);
}

export function maxHelpScroll(state: State): number {
  const { whole } = layoutOf(state.size);
  return Math.max(0, helpRows(state, whole.width - 2).length - (whole.height - 2));
}

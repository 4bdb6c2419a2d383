/**
 * The help page: every action with its keys. Those that work where help was opened come first. With a search, only the
 * actions whose keys, name or words contain all of its words. Pure.
 */

import { type Action, GROUPS, type Where, whereIs } from '../acts/action.js';
import { ACTIONS, type ActionName } from '../acts/actions.js';
import { keyWords } from '../input/key-names.js';
import { textOf } from '../input/line-editor.js';
import { prefixName } from '../keys/index.js';
import { layoutOf } from '../paint/layout.js';
import { fill, plainLine, widthOf, wrap } from '../paint/text.js';
import type { State } from './store.js';

/** Keys of the terminal and of dialogs. They are not in the table of actions, but help must list them. */
const ALSO = (prefix: string): readonly (readonly [string, string])[] => [
  [`${prefix} d`, 'back from a session that is attached; ? there says more'],
  ['Ctrl-C', 'leave, from everywhere'],
  ['click', 'selects, and once more opens; the wheel scrolls. With Shift the terminal selects text'],
];

interface HelpLine {
  readonly keys: string;
  readonly words: string;
  /** The name of the action. A search for it finds the action, too. */
  readonly name: string;
}
interface HelpGroup {
  readonly title: string;
  readonly lines: readonly HelpLine[];
}

type About = Pick<State, 'keymap' | 'prefix' | 'paint' | 'ui'>;

/** Returns the groups of the present view, those of the fewest views first, and all others. */
function groupsFor({ keymap, prefix, ui }: About): { readonly here: HelpGroup[]; readonly elsewhere: HelpGroup[] } {
  const { mode } = ui;
  const where = mode.kind === 'help' ? whereIs({ ...ui, mode: mode.back }) : null;
  const all = Object.entries(GROUPS).map(([group, { title, where: places }]) => ({
    title,
    places: places as readonly Where[],
    lines: (ACTIONS as readonly Action[])
      .filter((action) => action.group === group)
      .map(({ name, words }) => ({ keys: shownKeys(keymap.keysOf(name as ActionName)), words, name })),
  }));
  const holds = ({ places }: (typeof all)[number]): boolean => where !== null && places.includes(where);
  const besides = ALSO(prefixName(prefix)).map(([keys, words]) => ({ keys, words, name: '' }));
  return {
    here: all.filter(holds).sort((a, b) => a.places.length - b.places.length),
    elsewhere: [...all.filter((group) => !holds(group)), { title: 'Besides', lines: besides }],
  };
}

/** Returns the text that is searched for; '' for none. */
export const helpSearch = ({ mode }: State['ui']): string => (mode.kind === 'help' ? textOf(mode.line).trim() : '');

/** Returns the groups with only the lines that contain every word of the search. */
function found(groups: readonly HelpGroup[], search: string): readonly HelpGroup[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      lines: group.lines.filter(({ keys, words, name }) => {
        const text = `${keys} ${words} ${name.replaceAll('_', ' ')} ${group.title}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      }),
    }))
    .filter(({ lines }) => lines.length > 0);
}

/** Formats keys as `j ↓`; more than three keys as the first and the last; `—` for an action without a key. */
export function shownKeys(keys: readonly string[]): string {
  if (keys.length === 0) return '—';
  const words = keys.map(keyWords);
  return keys.length > 3 ? `${words[0]}–${words.at(-1)}` : words.join(' ');
}

const KEY_COLS = { least: 8, most: 16 } as const;

export function helpRows(state: About, columns: number): string[] {
  const { paint, ui } = state;
  const groups = groupsFor(state);
  const all = [...groups.here, ...groups.elsewhere];
  const search = helpSearch(ui);
  const here = found(groups.here, search);
  const elsewhere = found(groups.elsewhere, search);
  const widest = Math.max(...all.flatMap(({ lines }) => lines.map(({ keys }) => widthOf(keys))));
  const keyCols = Math.max(KEY_COLS.least, Math.min(widest, KEY_COLS.most, Math.floor(columns / 3)));
  const rowsOf = ({ title, lines }: HelpGroup): string[] => [
    ` ${paint('bold', fill(title, columns - 1))}`,
    ...lines.flatMap(({ keys, words }) => {
      const shown = wrap(keys, keyCols);
      const said = wrap(words, Math.max(1, columns - keyCols - 6));
      return Array.from({ length: Math.max(shown.length, said.length) }, (_, y) => {
        const key = paint('cyan', fill(shown[y] ?? '', keyCols));
        return `   ${key}  ${fill(said[y] ?? '', columns - keyCols - 5)}`;
      });
    }),
  ];
  const blank = fill('', columns);
  const between = here.length > 0 && elsewhere.length > 0;
  const rows = [
    ...here.flatMap((group) => [blank, ...rowsOf(group)]),
    ...(between ? [blank, paint('dim', fill(` ── elsewhere ${'─'.repeat(columns)}`, columns))] : []),
    ...elsewhere.flatMap((group) => [blank, ...rowsOf(group)]),
  ].slice(1);
  return rows.length > 0 ? rows : [fill(` No key has these words: ${plainLine(search)}`, columns)];
}

export function maxHelpScroll(state: State): number {
  const { whole } = layoutOf(state.size);
  return Math.max(0, helpRows(state, whole.width - 2).length - (whole.height - 2));
}

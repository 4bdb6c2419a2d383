/** One action of the TUI, the groups of actions, and the views where their keys work. Pure. */
import type { Key } from '../input/key-reader.js';
import type { KeyContext, KeyResult, ListName, UiState, ViewName } from './ui-state.js';

/** The part of the TUI that gets a key press: a list, a view, an item's details, or the text field of an answer. */
export type Where = ListName | Exclude<ViewName, 'lists'> | 'item' | 'typing';

const LISTS: readonly Where[] = ['inbox', 'sessions', 'feed'];
const VIEWS: readonly Where[] = ['workflows', 'workflow', 'step'];
const WORK_LISTS: readonly Where[] = ['tasks', 'runs', 'blueprints'];
const WORK: readonly Where[] = [...WORK_LISTS, 'task', 'run', 'blueprint'];

/** The groups of actions as help shows them, each with the views where its keys work. */
export const GROUPS = {
  everywhere: { title: 'Everywhere', where: [...LISTS, 'item', ...VIEWS, ...WORK, 'session'] },
  new: { title: 'Outside of tasks, runs and blueprints', where: [...LISTS, 'item', ...VIEWS, 'session'] },
  lists: { title: 'In the lists', where: LISTS },
  items: { title: 'Items, in the inbox and open', where: ['inbox', 'item'] },
  item: { title: 'An open item', where: ['item'] },
  screen: { title: 'The screen of a session', where: ['sessions', 'session', 'inbox', 'item'] },
  sessions: { title: 'Sessions', where: ['sessions', 'session'] },
  session_list: { title: 'The list of sessions', where: ['sessions'] },
  workflows: { title: 'Workflows', where: VIEWS },
  workflow_list: { title: 'All workflows', where: ['workflows'] },
  steps: { title: 'The steps of a workflow', where: ['workflow', 'step'] },
  work: { title: 'Tasks, runs and blueprints', where: WORK },
  work_lists: { title: 'Their lists', where: WORK_LISTS },
  doing: { title: 'A task or a run', where: ['tasks', 'task', 'runs', 'run'] },
  one: { title: 'The details of a task or a run', where: ['task', 'run'] },
  tasks: { title: 'Tasks', where: ['tasks', 'task'] },
  task: { title: 'The details of a task', where: ['task'] },
  starting: { title: 'Tasks and blueprints', where: ['tasks', 'task', 'blueprints', 'blueprint'] },
  typing: { title: 'Typing an answer', where: ['typing'] },
} as const satisfies Record<string, { readonly title: string; readonly where: readonly Where[] }>;

export interface Action {
  /** The name used in the configuration's [keys]. */
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  readonly words: string;
  /** Short text for the line of keys; without it the action is not listed there. */
  readonly hint?: string;
  readonly keys: readonly string[];
  /** True if the configuration cannot change its keys. */
  readonly isFixed?: true;
  /** True if a configured key of another action replaces its default key, so that older configurations stay valid. */
  readonly yields?: true;
  act(ui: UiState, context: KeyContext, key: Key | null): KeyResult;
}

/** Returns an entry of the table of actions. */
export const action = <const Name extends string>(
  name: Name,
  group: Action['group'],
  keys: Action['keys'],
  rest: Omit<Action, 'name' | 'group' | 'keys'>,
): Action & { readonly name: Name } => ({ name, group, keys, ...rest });

export function whereIs({ mode, focus, view }: Pick<UiState, 'mode' | 'focus' | 'view'>): Where | null {
  if (mode.kind === 'item' || mode.kind === 'typing') return mode.kind;
  if (mode.kind !== 'browse') return null;
  return view === 'lists' ? focus : view;
}

export const holdsIn = ({ group }: Pick<Action, 'group'>, where: Where): boolean =>
  (GROUPS[group].where as readonly Where[]).includes(where);

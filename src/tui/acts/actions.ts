/**
 * All actions of the TUI in one table: name, help text, default keys, the views where the keys work, and the effect.
 * Key handling, the help page, the palette, the line of keys and the configuration's [keys] are derived from this
 * table.
 *
 * To add an action, add an entry here. Pure: an action maps a UI state to the next one, and may return an effect to
 * carry out.
 *
 * The file is long because it is one table of all actions.
 */

import type { Key } from '../input/key-reader.js';
import { newline, textOf } from '../input/line-editor.js';
import { type Form, newForm } from './forms/form.js';
import { openHelp } from './help-acts.js';
import {
  backToItem,
  choose,
  goOn,
  itemIdOf,
  keepDraft,
  OPTION_LETTERS,
  scrollItem,
  selectOption,
  send,
  startDeclining,
  startEditor,
  startTyping,
  takeBack,
} from './item-acts.js';
import * as lists from './list-acts.js';
import { SESSION_ACTIONS } from './session-actions.js';
import * as sessions from './session-acts.js';
import {
  browse,
  go,
  type KeyContext,
  type KeyResult,
  type ListName,
  notify,
  stay,
  type UiState,
  type ViewName,
} from './ui-state.js';
import { WORK_ACTIONS } from './work-actions.js';
import * as work from './work-acts.js';
import * as workflows from './workflow-acts.js';

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

const PAGE = 10;
const isOfWork = (ui: UiState): boolean => work.isAmongWork(ui) || ui.view === 'session';
/** True if the view shows scrollable details. */
const hasDetails = (ui: UiState): boolean => isOfWork(ui) && !work.isWorkList(ui.view);
const moveInView = (ui: UiState, step: number, model: KeyContext['model']): UiState =>
  ui.view === 'session'
    ? { ...lists.move({ ...ui, focus: 'sessions' }, step, model), scroll: 0 }
    : work.isAmongWork(ui)
      ? work.moveInWork(ui, step, model)
      : workflows.moveInView(ui, step, model);
const isBrowsing = ({ mode, view }: UiState): boolean => mode.kind === 'browse' && view === 'lists';
/** Handles up and down: in a list it moves the selection, in details it goes to the neighbouring item. */
const moves =
  (step: number): Action['act'] =>
  (ui, context, key) => {
    const { model, at } = context;
    if (isBrowsing(ui)) return stay(lists.move(ui, step, model));
    // The arrows choose among the options of an item. Its neighbours are reached by the letters.
    const isArrow = key?.kind === 'named' && (key.name === 'up' || key.name === 'down');
    const chosen = isArrow ? selectOption(ui, step, context) : null;
    if (chosen) return stay(chosen);
    if (ui.mode.kind !== 'item') return stay(moveInView(ui, step, model));
    const there = lists.move({ ...ui, focus: 'inbox', list: 'inbox' }, step, model);
    return lists.openItem(there, there.itemId, at);
  };
const pages =
  (direction: 1 | -1): Action['act'] =>
  (ui, context) =>
    ui.mode.kind === 'item'
      ? scrollItem(ui, direction, context)
      : ui.view === 'step'
        ? workflows.scrollStep(ui, direction, context)
        : hasDetails(ui)
          ? work.scrollWork(ui, direction, context)
          : isScreenAlone(ui) && direction < 0
            ? sessions.lookBack(ui, context)
            : moves(direction * PAGE)(ui, context, null);

/** True while the screen of a session is shown without the lists. */
const isScreenAlone = (ui: UiState): boolean => isBrowsing(ui) && ui.isZoomed && ui.pane === 'screen';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export const ACTIONS = [
  {
    name: 'down',
    group: 'everywhere',
    keys: ['j', 'Down'],
    words: 'down; in an item: the next one, or with ↓ the next option',
    act: moves(1),
  },
  {
    name: 'up',
    group: 'everywhere',
    keys: ['k', 'Up'],
    words: 'up; in an item: the one before, or with ↑ the option before',
    act: moves(-1),
  },
  {
    name: 'page_down',
    group: 'everywhere',
    keys: ['PageDown'],
    words: 'a page down',
    act: pages(1),
  },
  {
    name: 'page_up',
    group: 'everywhere',
    keys: ['PageUp'],
    words: 'a page up',
    act: pages(-1),
  },
  {
    name: 'first',
    group: 'everywhere',
    keys: ['Home'],
    words: 'to the first',
    act: moves(Number.NEGATIVE_INFINITY),
  },
  {
    name: 'last',
    group: 'everywhere',
    keys: ['End'],
    words: 'to the last',
    act: moves(Number.POSITIVE_INFINITY),
  },
  {
    name: 'next_waiting',
    group: 'everywhere',
    keys: ['Tab'],
    hint: 'next waiting',
    words: 'to the next item that waits for you',
    act: (ui, context) => lists.nextWaiting(ui, 1, context),
  },
  {
    name: 'previous_waiting',
    group: 'everywhere',
    keys: ['S-Tab'],
    words: 'to the one before',
    act: (ui, context) => lists.nextWaiting(ui, -1, context),
  },
  {
    name: 'new_session',
    group: 'new',
    keys: ['n'],
    hint: 'new',
    words: 'start a program in a new session',
    act: (ui, { directory }) => go(ui, { kind: 'starting', form: newForm(directory) satisfies Form }),
  },
  {
    name: 'workflows',
    group: 'everywhere',
    keys: ['w'],
    hint: 'workflows',
    words: 'the workflows, and back; from a question of one: that workflow',
    act: workflows.goToWorkflows,
  },
  {
    name: 'tasks',
    group: 'everywhere',
    keys: ['t'],
    hint: 'tasks',
    yields: true,
    words: 'tasks, runs and blueprints, and back; from a question of one: that task or run',
    act: work.goToWork,
  },
  {
    name: 'palette',
    group: 'everywhere',
    keys: [':', 'C-p'],
    hint: 'all',
    words: 'find an action by name',
    act: lists.startPalette,
  },
  {
    name: 'help',
    group: 'everywhere',
    keys: ['?'],
    hint: 'help',
    words: 'all keys',
    act: openHelp,
  },
  {
    name: 'back',
    group: 'everywhere',
    keys: ['Escape'],
    hint: 'back',
    words: 'back: out of an item, a workflow, a filter, the zoom, the feed',
    act: (ui) => stay(isBrowsing(ui) ? lists.leave(ui) : leaveOne(ui)),
  },
  {
    name: 'start_daemon',
    group: 'new',
    keys: ['C-s'],
    hint: 'start the daemon',
    yields: true,
    words: 'start the daemon, if none runs any more',
    act: (ui, { model, at }) =>
      model.connection.kind === 'connected'
        ? stay(notify(ui, 'the daemon runs', at))
        : { ui: notify(ui, 'starting the daemon …', at), effect: { kind: 'start_daemon' } },
  },
  {
    name: 'demo',
    group: 'lists',
    keys: ['e'],
    hint: 'demo',
    yields: true,
    words: 'start the demo: three scripted agents that ask, block and finish',
    act: lists.startDemo,
  },
  {
    name: 'redraw',
    group: 'everywhere',
    keys: ['C-l'],
    words: 'draw everything anew',
    act: (ui) => ({ ui, effect: { kind: 'redraw' } }),
  },
  {
    name: 'quit',
    group: 'everywhere',
    keys: ['q'],
    hint: 'quit',
    words: 'leave; daemon and sessions go on (Ctrl-C too). In an item, a workflow: back',
    act: (ui) => (isBrowsing(ui) ? { ui, effect: { kind: 'quit' } } : stay(leaveOne(ui))),
  },
  {
    name: 'next_list',
    group: 'lists',
    keys: ['l', 'Right'],
    words: 'to the next list: inbox, sessions, feed',
    act: (ui, context) => stay(lists.focusNext(ui, 1, context)),
  },
  {
    name: 'previous_list',
    group: 'lists',
    keys: ['h', 'Left'],
    words: 'to the list before',
    act: (ui, context) => stay(lists.focusNext(ui, -1, context)),
  },
  {
    name: 'filter',
    group: 'lists',
    keys: ['/'],
    hint: 'filter',
    words: 'show only lines with these words; in the feed: search',
    act: lists.startFilter,
  },
  {
    name: 'pane',
    group: 'lists',
    keys: ['f'],
    words: 'the feed (what happened), and back to the screen',
    act: (ui) => stay(lists.switchPane(ui)),
  },
  {
    name: 'zoom',
    group: 'lists',
    keys: ['z'],
    hint: 'zoom',
    words: 'the screen, or the feed, alone; and back',
    act: (ui) => stay({ ...ui, isZoomed: !ui.isZoomed }),
  },
  {
    name: 'open',
    group: 'items',
    keys: ['Enter'],
    hint: 'open',
    words: 'open the item; there: type an answer, attach where the program asks, go on from a closed one',
    act: (ui, context) => (ui.mode.kind === 'item' ? goOn(ui, context) : lists.openItem(ui, ui.itemId, context.at)),
  },
  {
    name: 'choose',
    group: 'items',
    keys: DIGITS,
    isFixed: true,
    words: 'send that option, at once; from the inbox: open the item, the same again or Enter sends',
    act: (ui, context, key) =>
      key?.kind === 'char'
        ? choose(ui, Number(key.text), context)
        : stay(notify(ui, 'press the option’s digit', context.at)),
  },
  {
    name: 'choose_letter',
    group: 'item',
    keys: OPTION_LETTERS,
    yields: true,
    words: 'send the tenth option and those after it; ↓ ↑ select one, and Enter sends it',
    act: (ui, context, key) =>
      key?.kind === 'char' && OPTION_LETTERS.includes(key.text)
        ? choose(ui, OPTION_LETTERS.indexOf(key.text) + 10, context)
        : stay(notify(ui, 'press the option’s letter', context.at)),
  },
  {
    name: 'answer',
    group: 'items',
    keys: ['a'],
    hint: 'answer',
    words: 'type an answer',
    act: startTyping,
  },
  {
    name: 'session',
    group: 'items',
    keys: ['g'],
    hint: 'session',
    words: 'go to its session',
    act: (ui, { model }) => stay(lists.goToSession(ui, itemIdOf(ui), model)),
  },
  {
    name: 'decline',
    group: 'item',
    keys: ['x'],
    hint: 'decline',
    words: 'decline it, or put it away, after y',
    act: startDeclining,
  },
  {
    name: 'take_back',
    group: 'items',
    keys: ['u'],
    hint: 'take it back',
    yields: true,
    words: 'take your answer back, until its typing begins; it is then open again',
    act: takeBack,
  },
  {
    name: 'write',
    group: 'item',
    keys: ['C-e'],
    words: 'write the answer in $VISUAL or $EDITOR',
    act: startEditor,
  },
  {
    name: 'raw',
    group: 'item',
    keys: ['m'],
    words: 'its text as it was written, and as markdown',
    act: (ui) => stay({ ...ui, isRaw: !ui.isRaw }),
  },
  ...SESSION_ACTIONS,
  ...WORK_ACTIONS,
  {
    name: 'open_workflow',
    group: 'workflow_list',
    keys: ['Enter'],
    hint: 'open',
    words: 'its steps, as they go',
    act: workflows.openSelected,
  },
  {
    name: 'filter_workflows',
    group: 'workflow_list',
    keys: ['/'],
    hint: 'filter',
    words: 'only those with these words: name, state, step, id',
    act: workflows.startFilter,
  },
  {
    name: 'cancel_workflow',
    group: 'workflows',
    keys: ['K'],
    hint: 'cancel it',
    words: 'end the workflow and all that it started, after y',
    act: workflows.startCancel,
  },
  {
    name: 'resume_workflow',
    group: 'workflows',
    keys: ['r'],
    hint: 'resume',
    words: 'go on with one that failed or was cancelled; what is completed is not run again',
    act: workflows.resume,
  },
  {
    name: 'open_step',
    group: 'steps',
    keys: ['Enter'],
    hint: 'open',
    words: 'its question; else sit at the terminal of what runs; else all that is known of it',
    act: workflows.openStep,
  },
  {
    name: 'step_details',
    group: 'steps',
    keys: ['d'],
    hint: 'details',
    words: 'all that is known of the step: its runs, what it made',
    act: workflows.showStep,
  },
  {
    name: 'resume_step',
    group: 'steps',
    keys: ['R'],
    hint: 'resume from here',
    words: 'run this step and all behind it anew, of a workflow that failed or was cancelled; after y',
    act: workflows.startResume,
  },
  {
    name: 'step_session',
    group: 'steps',
    keys: ['g'],
    hint: 'session',
    words: 'go to the session of the step',
    act: workflows.goToStepSession,
  },
  {
    name: 'send',
    group: 'typing',
    keys: ['Enter'],
    hint: 'sends',
    words: 'send the answer',
    act: sendTyped,
  },
  {
    name: 'newline',
    group: 'typing',
    keys: ['M-Enter', 'S-Enter', 'C-j'],
    hint: 'new line',
    words: 'a new line',
    act: (ui) => (ui.mode.kind === 'typing' ? go(ui, { ...ui.mode, line: newline(ui.mode.line) }) : stay(ui)),
  },
  {
    name: 'editor',
    group: 'typing',
    keys: ['C-e'],
    hint: 'editor',
    words: 'go on in $VISUAL or $EDITOR',
    act: editTyped,
  },
  {
    name: 'cancel',
    group: 'typing',
    keys: ['Escape'],
    hint: 'later',
    words: 'back without sending; what was typed is kept',
    act: leaveTyped,
  },
] as const satisfies readonly Action[];

export type ActionName = (typeof ACTIONS)[number]['name'];

export function whereIs({ mode, focus, view }: Pick<UiState, 'mode' | 'focus' | 'view'>): Where | null {
  if (mode.kind === 'item' || mode.kind === 'typing') return mode.kind;
  if (mode.kind !== 'browse') return null;
  return view === 'lists' ? focus : view;
}

/** Leaves an item or a view. */
const leaveOne = (ui: UiState): UiState =>
  ui.mode.kind === 'item' ? browse(ui) : isOfWork(ui) ? work.leaveWork(ui) : workflows.leaveView(ui);

export const holdsIn = ({ group }: Pick<Action, 'group'>, where: Where): boolean =>
  (GROUPS[group].where as readonly Where[]).includes(where);

// ── typing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function sendTyped(ui: UiState, { at }: KeyContext): KeyResult {
  const { mode } = ui;
  if (mode.kind !== 'typing') return stay(ui);
  const text = textOf(mode.line);
  if (text.trim() === '') return stay(notify(ui, 'an empty answer is not sent', at, true));
  const request = mode.option === null ? { text } : { option: mode.option, text };
  // The draft is kept until the daemon has accepted the answer.
  return send(keepDraft(ui, mode.itemId, text), mode.itemId, request, at);
}

function editTyped(ui: UiState): KeyResult {
  const { mode } = ui;
  if (mode.kind !== 'typing') return stay(ui);
  const { itemId, option, line } = mode;
  return { ui, effect: { kind: 'edit', itemId, option, text: textOf(line) } };
}

function leaveTyped(ui: UiState, { at }: KeyContext): KeyResult {
  const { mode } = ui;
  if (mode.kind !== 'typing') return stay(ui);
  return stay(backToItem(keepDraft(ui, mode.itemId, textOf(mode.line)), mode.itemId, at));
}

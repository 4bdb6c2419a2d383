/**
 * All actions of the TUI in one table: name, group, default keys, help text and effect (action.ts).
 * Key handling, the help page, the palette, the line of keys and the configuration's [keys] are derived from this
 * table.
 *
 * To add an action, add an entry here. Pure: an action maps a UI state to the next one, and may return an effect to
 * carry out.
 */

import { newline, textOf } from '../input/line-editor.js';
import { type Action, action } from './action.js';
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
import { browse, go, type KeyContext, type KeyResult, notify, stay, type UiState } from './ui-state.js';
import { WORK_ACTIONS } from './work-actions.js';
import * as work from './work-acts.js';
import * as workflows from './workflow-acts.js';

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
  action('down', 'everywhere', ['j', 'Down'], {
    words: 'down; in an item: the next one, or with ↓ the next option',
    act: moves(1),
  }),
  action('up', 'everywhere', ['k', 'Up'], {
    words: 'up; in an item: the one before, or with ↑ the option before',
    act: moves(-1),
  }),
  action('page_down', 'everywhere', ['PageDown'], { words: 'a page down', act: pages(1) }),
  action('page_up', 'everywhere', ['PageUp'], { words: 'a page up', act: pages(-1) }),
  action('first', 'everywhere', ['Home'], { words: 'to the first', act: moves(Number.NEGATIVE_INFINITY) }),
  action('last', 'everywhere', ['End'], { words: 'to the last', act: moves(Number.POSITIVE_INFINITY) }),
  action('next_waiting', 'everywhere', ['Tab'], {
    hint: 'next waiting',
    words: 'to the next item that waits for you',
    act: (ui, context) => lists.nextWaiting(ui, 1, context),
  }),
  action('previous_waiting', 'everywhere', ['S-Tab'], {
    words: 'to the one before',
    act: (ui, context) => lists.nextWaiting(ui, -1, context),
  }),
  action('new_session', 'new', ['n'], {
    hint: 'new',
    words: 'start a program in a new session',
    act: (ui, { directory }) => go(ui, { kind: 'starting', form: newForm(directory) satisfies Form }),
  }),
  action('workflows', 'everywhere', ['w'], {
    hint: 'workflows',
    words: 'the workflows, and back; from a question of one: that workflow',
    act: workflows.goToWorkflows,
  }),
  action('tasks', 'everywhere', ['t'], {
    hint: 'tasks',
    yields: true,
    words: 'tasks, runs and blueprints, and back; from a question of one: that task or run',
    act: work.goToWork,
  }),
  action('palette', 'everywhere', [':', 'C-p'], {
    hint: 'all',
    words: 'find an action by name',
    act: lists.startPalette,
  }),
  action('help', 'everywhere', ['?'], { hint: 'help', words: 'all keys', act: openHelp }),
  action('back', 'everywhere', ['Escape'], {
    hint: 'back',
    words: 'back: out of an item, a workflow, a filter, the zoom, the feed',
    act: (ui) => stay(isBrowsing(ui) ? lists.leave(ui) : leaveOne(ui)),
  }),
  action('start_daemon', 'new', ['C-s'], {
    hint: 'start the daemon',
    yields: true,
    words: 'start the daemon, if none runs any more',
    act: (ui, { model, at }) =>
      model.connection.kind === 'connected'
        ? stay(notify(ui, 'the daemon runs', at))
        : { ui: notify(ui, 'starting the daemon …', at), effect: { kind: 'start_daemon' } },
  }),
  action('demo', 'lists', ['e'], {
    hint: 'demo',
    yields: true,
    words: 'start the demo: three scripted agents that ask, block and finish',
    act: lists.startDemo,
  }),
  action('redraw', 'everywhere', ['C-l'], {
    words: 'draw the whole screen again',
    act: (ui) => ({ ui, effect: { kind: 'redraw' } }),
  }),
  action('quit', 'everywhere', ['q'], {
    hint: 'quit',
    words: 'leave; daemon and sessions go on (Ctrl-C too). In an item, a workflow: back',
    act: (ui) => (isBrowsing(ui) ? { ui, effect: { kind: 'quit' } } : stay(leaveOne(ui))),
  }),
  action('next_list', 'lists', ['l', 'Right'], {
    words: 'to the next list: inbox, sessions, feed',
    act: (ui, context) => stay(lists.focusNext(ui, 1, context)),
  }),
  action('previous_list', 'lists', ['h', 'Left'], {
    words: 'to the list before',
    act: (ui, context) => stay(lists.focusNext(ui, -1, context)),
  }),
  action('filter', 'lists', ['/'], {
    hint: 'filter',
    words: 'show only lines with these words; in the feed: search',
    act: lists.startFilter,
  }),
  action('pane', 'lists', ['f'], {
    words: 'the feed (what happened), and back to the screen',
    act: (ui) => stay(lists.switchPane(ui)),
  }),
  action('zoom', 'lists', ['z'], {
    hint: 'zoom',
    words: 'the screen, or the feed, alone; and back',
    act: (ui) => stay({ ...ui, isZoomed: !ui.isZoomed }),
  }),
  action('open', 'items', ['Enter'], {
    hint: 'open',
    words: 'open the item; there: type an answer, attach where the program asks, go on from a closed one',
    act: (ui, context) => (ui.mode.kind === 'item' ? goOn(ui, context) : lists.openItem(ui, ui.itemId, context.at)),
  }),
  action('choose', 'items', DIGITS, {
    isFixed: true,
    words: 'send that option, at once; from the inbox: open the item, the same again or Enter sends',
    act: (ui, context, key) =>
      key?.kind === 'char'
        ? choose(ui, Number(key.text), context)
        : stay(notify(ui, 'press the option’s digit', context.at)),
  }),
  action('choose_letter', 'item', OPTION_LETTERS, {
    yields: true,
    words: 'send the tenth option and those after it; ↓ ↑ select one, and Enter sends it',
    act: (ui, context, key) =>
      key?.kind === 'char' && OPTION_LETTERS.includes(key.text)
        ? choose(ui, OPTION_LETTERS.indexOf(key.text) + 10, context)
        : stay(notify(ui, 'press the option’s letter', context.at)),
  }),
  action('answer', 'items', ['a'], { hint: 'answer', words: 'type an answer', act: startTyping }),
  action('session', 'items', ['g'], {
    hint: 'session',
    words: 'go to its session',
    act: (ui, { model }) => stay(lists.goToSession(ui, itemIdOf(ui), model)),
  }),
  action('decline', 'item', ['x'], {
    hint: 'decline',
    words: 'decline it, or put it away, after y',
    act: startDeclining,
  }),
  action('take_back', 'items', ['u'], {
    hint: 'take it back',
    yields: true,
    words: 'take your answer back, until its typing begins; it is then open again',
    act: takeBack,
  }),
  action('write', 'item', ['C-e'], { words: 'write the answer in $VISUAL or $EDITOR', act: startEditor }),
  action('raw', 'item', ['m'], {
    words: 'its text as it was written, and as markdown',
    act: (ui) => stay({ ...ui, isRaw: !ui.isRaw }),
  }),
  ...SESSION_ACTIONS,
  ...WORK_ACTIONS,
  action('open_workflow', 'workflow_list', ['Enter'], {
    hint: 'open',
    words: 'its steps, as they go',
    act: workflows.openSelected,
  }),
  action('filter_workflows', 'workflow_list', ['/'], {
    hint: 'filter',
    words: 'only those with these words: name, state, step, id',
    act: workflows.startFilter,
  }),
  action('cancel_workflow', 'workflows', ['K'], {
    hint: 'cancel it',
    words: 'end the workflow and all that it started, after y',
    act: workflows.startCancel,
  }),
  action('resume_workflow', 'workflows', ['r'], {
    hint: 'resume',
    words: 'resume one that failed or was cancelled; completed steps are not run again',
    act: workflows.resume,
  }),
  action('open_step', 'steps', ['Enter'], {
    hint: 'open',
    words: 'its question; else sit at the terminal of what runs; else all that is known of it',
    act: workflows.openStep,
  }),
  action('step_details', 'steps', ['d'], {
    hint: 'details',
    words: 'all that is known of the step: its runs, what it made',
    act: workflows.showStep,
  }),
  action('resume_step', 'steps', ['R'], {
    hint: 'resume from here',
    words: 'run this step and all after it again, in a workflow that failed or was cancelled; after y',
    act: workflows.startResume,
  }),
  action('step_session', 'steps', ['g'], {
    hint: 'session',
    words: 'go to the session of the step',
    act: workflows.goToStepSession,
  }),
  action('send', 'typing', ['Enter'], { hint: 'sends', words: 'send the answer', act: sendTyped }),
  action('newline', 'typing', ['M-Enter', 'S-Enter', 'C-j'], {
    hint: 'new line',
    words: 'a new line',
    act: (ui) => (ui.mode.kind === 'typing' ? go(ui, { ...ui.mode, line: newline(ui.mode.line) }) : stay(ui)),
  }),
  action('editor', 'typing', ['C-e'], { hint: 'editor', words: 'go on in $VISUAL or $EDITOR', act: editTyped }),
  action('cancel', 'typing', ['Escape'], {
    hint: 'later',
    words: 'back without sending; what was typed is kept',
    act: leaveTyped,
  }),
] as const satisfies readonly Action[];

export type ActionName = (typeof ACTIONS)[number]['name'];

/** Leaves an item or a view. */
const leaveOne = (ui: UiState): UiState =>
  ui.mode.kind === 'item' ? browse(ui) : isOfWork(ui) ? work.leaveWork(ui) : workflows.leaveView(ui);

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

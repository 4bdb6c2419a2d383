/** The last line of the terminal: the available keys, the latest notice, or a line to type on. */
import {
  isTaskOver,
  isWorkflowOver,
  type Session,
  type SessionAct,
  shownState,
  takesText,
  type WorkflowRunSummary,
  type WorkflowStep,
} from '../../protocol/index.js';
import { ACTIONS, type ActionName } from '../acts/actions.js';
import { OPTION_LETTERS, optionKey } from '../acts/item-acts.js';
import { targetsOf } from '../acts/session-acts.js';
import { ENDED_GROUP, isGroup } from '../acts/session-rows.js';
import { entryOf } from '../acts/shown.js';
import { chosenWorkflow, mayResume, stepOf } from '../acts/workflow-acts.js';
import { editorRows } from '../input/editor-rows.js';
import { prefixName } from '../keys/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import { entryOfItem, isAlive, openItems } from '../model/model.js';
import type { Work } from '../model/work-model.js';
import { briefTask } from '../model/work-words.js';
import { itemOfStep, sessionOfStep } from '../model/workflow-model.js';
import { padded } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { cut, fill, plainLine, widthOf, wrap } from '../paint/text.js';
import { viewItemIn } from '../rows/item-view.js';
import { layoutFor } from '../view/fitted-layout.js';
import type { State } from '../view/store.js';
import { workHints } from './work-hints.js';

export type Hint = readonly [key: string, meaning: string];

/** Shows the last line of the terminal. */
export function KeyLine({ state }: { readonly state: State }) {
  const { paint, size, ui } = state;
  const { notice, mode } = ui;
  const columns = size.cols;
  const words = wordRows(state);
  if (notice) {
    const style = notice.isError ? (['bold', 'red'] as const) : 'bold';
    return <Rows rows={words.map((row) => paint(style, fill(` ${row}`, columns)))} />;
  }
  if (isLine(mode)) {
    const label = labelOf(mode);
    const [row = ''] = editorRows(paint, label, mode.line, columns - 2, 1);
    return <Rows rows={[` ${padded(row, columns - 2)} `]} />;
  }
  if (words.length > 0) return <Rows rows={words.map((row) => paint(['bold', 'yellow'], ` ${row}`))} />;
  return <Rows rows={[hintLine(state, hintsFor(state))]} />;
}

type Mode = State['ui']['mode'];
type LineMode = Extract<Mode, { readonly kind: 'filtering' | 'renaming' | 'tagging' | 'writing' | 'help' }>;

/** True while a line is typed in the last row. */
const isLine = (mode: Mode): mode is LineMode =>
  mode.kind === 'filtering' ||
  mode.kind === 'renaming' ||
  mode.kind === 'tagging' ||
  mode.kind === 'writing' ||
  (mode.kind === 'help' && mode.isSearching);

function labelOf(mode: LineMode): string {
  if (mode.kind === 'filtering') return `${FILTERS[mode.list]} `;
  if (mode.kind === 'help') return 'keys with: ';
  if (mode.kind === 'renaming') return 'new name: ';
  const count = mode.sessionIds.length;
  if (mode.kind === 'writing') return count === 1 ? 'type into it: ' : `type into all ${count}: `;
  return count === 1 ? 'tags: ' : `tags of all ${count}: `;
}

/** Maximum number of rows for a notice or a question. */
const MAX_WORD_ROWS = 3;

/**
 * Returns the notice, or the question that `y` confirms, on as many rows as it needs: they cover the lowest rows of the
 * screen. Empty if there is neither.
 */
function wordRows(state: State): string[] {
  const { size, ui } = state;
  const question = questionOf(state);
  const asked = question === null ? '' : `${question} y: yes, any other key: no`;
  const rows = wrap(ui.notice ? plainLine(ui.notice.text) : asked, Math.max(1, size.cols - 2));
  return rows.slice(0, Math.max(1, Math.min(MAX_WORD_ROWS, size.rows - 4))).filter((row) => row !== '');
}

/** Returns the number of rows at the bottom of the terminal that the keys, a notice or a question use. */
export const keyLineRows = (state: State): number => Math.max(1, wordRows(state).length);

const FILTERS = {
  inbox: 'items with:',
  sessions: 'sessions with:',
  feed: 'search:',
  workflows: 'workflows with:',
  tasks: 'tasks with:',
  runs: 'runs with:',
  blueprints: 'blueprints with:',
} as const;

/** Returns the question that `y` confirms; '' if its subject is gone, null if none is asked. */
function questionOf({ ui: { mode }, model }: State): string | null {
  if (mode.kind === 'confirming') {
    return confirmWords(
      mode.act,
      model.sessions.filter(({ id }) => mode.sessionIds.includes(id)),
      (id) => model.changes.has(id),
    );
  }
  if (mode.kind === 'cancelling_work') return cancelWorkWords(mode, model.work);
  if (mode.kind !== 'cancelling' && mode.kind !== 'resuming') return null;
  const run = model.workflows.find(({ id }) => id === mode.workflowId);
  if (!run) return '';
  return mode.kind === 'cancelling' ? cancelWords(run) : resumeWords(run, mode.stepId);
}

/** The question before an act, around the name of a session or the number of sessions. */
const CONFIRM: Readonly<Record<SessionAct, readonly [verb: string, ofOne: string, ofMany: string]>> = {
  kill: ['End', ' and all that it started', ' and all that they started'],
  restart: ['End', ' and start it again', ' and start them again'],
  remove: ['Remove', ' with its journal (u brings it back)', ' with their journals (u brings one back)'],
  export: ['Export', '', ''],
};

function confirmWords(act: SessionAct, sessions: readonly Session[], hasWorktree: (id: string) => boolean): string {
  const [verb, ofOne, ofMany] = CONFIRM[act];
  const [session] = sessions;
  if (!session) return '';
  const trees = act === 'remove' ? sessions.filter(({ id }) => hasWorktree(id)).length : 0;
  const stays = trees === 0 ? '' : trees === 1 ? ' A worktree stays (D shows it).' : ` ${trees} worktrees stay.`;
  if (sessions.length > 1) return `${verb} ${sessions.length} sessions${ofMany}?${stays}`;
  const { mark, word } = shownState(session);
  return `${verb} ${cut(plainLine(session.name), MAX_NAME_COLS)} (${mark} ${word})${ofOne}?${stays}`;
}

const cancelWords = ({ name }: WorkflowRunSummary): string =>
  `Cancel ${cut(plainLine(name), MAX_NAME_COLS)} and all that it started?`;

function cancelWorkWords({ what, id }: { readonly what: 'task' | 'run'; readonly id: string }, work: Work): string {
  const task = what === 'task' ? [work.task, ...work.tasks].find((one) => one?.id === id) : null;
  return `Cancel ${task ? briefTask(task) : id} and its agent?`;
}

const resumeWords = ({ name }: WorkflowRunSummary, stepId: string): string =>
  `Run ${cut(plainLine(stepId), MAX_NAME_COLS)} of ${cut(plainLine(name), MAX_NAME_COLS)} and all after it again?`;
const MAX_NAME_COLS = 24;

/** Joins hints, the most useful first. Hints that do not fit are left out, but the help key is always shown. */
function hintLine({ paint, size, keymap }: State, hints: readonly Hint[]): string {
  const help = hints.find(([, meaning]) => meaning === 'help');
  const helpKey = keymap.keyOf('help');
  let last = help ? widthOf(`${helpKey} help`) + 2 : 0;
  let line = '';
  let width = 1;
  for (const hint of hints) {
    const [key, meaning] = hint;
    if (hints.find((other) => other[0] === key && other[1] === meaning) !== hint) continue;
    const wide = widthOf(`${key} ${meaning}`) + 2;
    if (hint === help) last = 0;
    if (width + wide + last > size.cols + 1) continue;
    line += `${paint(['bold', 'cyan'], cut(key, size.cols))} ${paint('dim', meaning)}  `;
    width += wide;
  }
  return ` ${line.trimEnd()}`;
}

function hintsFor(state: State): readonly Hint[] {
  const { mode } = state.ui;
  const by = hinter(state);
  switch (mode.kind) {
    case 'help':
      return [...by('filter').map(([key]): Hint => [key, 'search']), ['↑ ↓', 'scroll'], ['any other key', 'goes back']];
    case 'typing':
      return [
        ...by('send', 'cancel'),
        ...by('newline', 'editor'),
        ['Ctrl-U', mode.line.pieces.includes('\n') ? 'clear the line' : 'clear'],
      ];
    case 'declining': {
      const entry = entryOf(state);
      return [
        ['y', entry && !takesText(entry.item) ? 'puts it away' : 'declines'],
        ['any other key', 'does not'],
      ];
    }
    case 'filling':
      return [
        ['Enter', mode.form.kind === 'task' ? 'creates it' : 'starts it'],
        ['Esc', 'does not'],
        ['↑ ↓ Tab', 'other fields'],
        ...(mode.form.at === 'prompt' ? ([['Alt-Enter', 'new line']] as const) : []),
      ];
    case 'starting':
      return [
        ['Enter', 'starts'],
        ['Esc', 'does not'],
        ['↑ ↓ Tab', 'other fields'],
      ];
    case 'palette':
      return [
        ['Enter', 'does it'],
        ['↑ ↓', 'choose'],
        ['Esc', 'back'],
      ];
    case 'item':
      return itemHints(state, by);
    default:
      return hintsOfView(state, by);
  }
}

function hintsOfView(state: State, by: By): readonly Hint[] {
  switch (state.ui.view) {
    case 'lists':
      return browseHints(state, by);
    case 'workflows':
    case 'workflow':
    case 'step':
      return workflowHints(state, by);
    default:
      return workHints(state, by);
  }
}

/** An action, optionally with a text for this view instead of its usual one. */
export type Named = ActionName | readonly [ActionName, string];
export type By = (...names: readonly Named[]) => readonly Hint[];

/** Returns the hints of actions by name. An action without a key has no hint. */
const hinter =
  ({ keymap }: State): By =>
  (...names) =>
    names.flatMap((one): Hint[] => {
      const [name, words] = typeof one === 'string' ? [one, null] : one;
      const action = ACTIONS.find((each) => each.name === name);
      const key = keymap.keyOf(name);
      const meaning = words ?? (action && 'hint' in action ? action.hint : name);
      return key === '' ? [] : [[key, meaning]];
    });

function itemHints(state: State, by: By): readonly Hint[] {
  const { model, paint, ui, now } = state;
  const entry = entryOf(state);
  if (!entry || !isAnswerable(state, entry)) {
    const isPending = entry?.item.answer?.delivery === 'accepted' || entry?.item.answer?.delivery === 'stalled';
    const undo = isPending ? by('take_back') : [];
    const next = openItems(model).length > 0 ? by(['open', 'next open item']) : [];
    return [...undo, ...next, ...by('back', 'session', 'help')];
  }
  const { visibleOptions: inSight = 0, hiddenOptions: hidden = 0 } =
    viewItemIn(paint, layoutFor(state), ui, model, now) ?? {};
  const digits: readonly Hint[] = inSight === 0 ? [] : [[optionKeys(hidden + 1, hidden + inSight), 'answer with it']];
  const choices = takesText(entry.item)
    ? by(['answer', 'type an answer'], 'decline')
    : by(['open', 'attach'], ['decline', 'put away']);
  return [...digits, ...choices, ...by('back', 'session', 'help', 'next_waiting', 'write')];
}

/** Returns the keys of options in sight, such as `3–9 A–C`. The options after the last letter have no key. */
function optionKeys(first: number, last: number): string {
  const span = (from: number, to: number): readonly string[] =>
    from > to ? [] : [from === to ? optionKey(from) : `${optionKey(from)}–${optionKey(to)}`];
  return [...span(first, Math.min(9, last)), ...span(Math.max(10, first), Math.min(last, MAX_KEYS))].join(' ');
}

const MAX_KEYS = 9 + OPTION_LETTERS.length;

const isAnswerable = ({ ui }: State, { item }: ItemEntry): boolean =>
  item.state === 'open' && !ui.sending.includes(item.id);

function workflowHints(state: State, by: By): readonly Hint[] {
  const { ui, model } = state;
  const run = chosenWorkflow(ui, model);
  const step = ui.view === 'workflows' ? null : stepOf(ui, model);
  const isFiltered = ui.view === 'workflows' && ui.filters.workflows !== '';
  const back = isFiltered ? by(['back', 'all']) : by('back');
  const others = [...back, ...wholeHints(run, by), ...stepHints(ui, step, by), ...moreHints(state, run, by)];
  const waiting = openItems(model).length > 0 ? by('next_waiting') : [];
  const open = ui.view === 'workflows' && run !== null ? by('open_workflow') : [];
  return [...open, ...openHint(state, step, by), ...others, ...waiting, ...by('help', ['palette', 'all actions'])];
}

/** The hint for Enter on a step, unless it shows the step's details. */
function openHint({ model }: State, step: WorkflowStep | null, by: By): readonly Hint[] {
  if (step === null) return [];
  const item = itemOfStep(step, model.items);
  if (item) return by(['open_step', takesText(item) ? 'answer' : 'what it asks']);
  return step.state === 'running' && sessionOfStep(step) !== null ? by(['open_step', 'attach']) : [];
}

function stepHints({ view }: State['ui'], step: WorkflowStep | null, by: By): readonly Hint[] {
  if (step === null) return [];
  return [
    ...(view === 'workflow' ? by('step_details') : []),
    ...(sessionOfStep(step) === null ? [] : by('step_session')),
  ];
}

/** Hints for less frequent keys. */
function moreHints({ ui, model }: State, run: ReturnType<typeof chosenWorkflow>, by: By): readonly Hint[] {
  if (ui.view === 'workflows') return model.workflows.length > 1 ? by('filter_workflows') : [];
  return run !== null && mayResume(run) ? by('resume_step') : [];
}

function wholeHints(run: ReturnType<typeof chosenWorkflow>, by: By): readonly Hint[] {
  if (run === null || run.state === 'completed') return [];
  return isWorkflowOver(run) ? by('resume_workflow') : by('cancel_workflow');
}

function browseHints(state: State, by: By): readonly Hint[] {
  const { ui, model, size, prefix } = state;
  const { focus, itemId, filters, isZoomed } = ui;
  const isMarking = focus === 'sessions' && ui.marked.size > 0;
  const out = isMarking ? [] : filters[focus] !== '' ? by(['back', 'all']) : isZoomed ? by(['zoom', 'lists']) : [];
  const waiting = openItems(model).length > 0 ? by('next_waiting') : [];
  const isAway = model.connection.kind === 'away';
  const isEmpty = model.connection.kind === 'connected' && model.sessions.length === 0;
  const others = (here: readonly Hint[]): readonly Hint[] => [
    ...(isAway ? by('start_daemon') : []),
    ...(isEmpty ? by('demo') : []),
    ...out,
    ...here,
    ...waiting,
    ...(model.workflows.some((one) => !isWorkflowOver(one)) ? by('workflows') : []),
    ...(model.work.tasks.some((task) => !isTaskOver(task)) ? by('tasks') : []),
    ...by('new_session'),
    ...(isZoomed ? [] : by('zoom')),
    ...(focus === 'sessions' && !isGroup(ui.sessionId) ? by('mark') : []),
    ...(model.sessions.filter(isAlive).length > 1 ? by('grid') : []),
    ...by(['pane', ui.pane === 'screen' ? 'feed' : 'screen'], 'filter', 'help', 'quit', ['palette', 'all actions']),
  ];
  if (focus === 'feed') return others([]);
  if (focus === 'inbox') {
    const entry = entryOfItem(model, itemId);
    const open = entry && isAnswerable(state, entry) ? by('open', ...answerHint(entry)) : [];
    return others([...open, ...(itemId === null ? [] : by('session'))]);
  }
  const attach = (meaning: string): readonly Hint[] => sessionHints(state, meaning, by);
  // If there is room, the hint says how to come back.
  const full = others(attach(`attach (${prefixName(prefix)} d comes back)`));
  const essential = full.filter(([, meaning]) => !LESS_NEEDED.has(meaning));
  return widthOfAll(essential) <= size.cols ? full : others(attach('attach'));
}

/** Meanings that are left out so that the hint can say how to come back from an attached session. */
const LESS_NEEDED: ReadonlySet<string> = new Set(['mark', 'grid', 'feed', 'filter', 'all actions']);

/** The keys for the selected row, or for the marked sessions. */
function sessionHints({ ui, model }: State, attaches: string, by: By): readonly Hint[] {
  const { sessionId, marked, folds } = ui;
  if (isGroup(sessionId) && marked.size === 0) {
    const isOpen = sessionId !== null && folds.has(sessionId) === (sessionId === ENDED_GROUP);
    return by(['attach', isOpen ? 'fold' : 'open'], 'mark', 'group_sessions', 'sort_sessions');
  }
  const all = targetsOf(ui, model);
  if (all.length === 0) return [];
  const ends: readonly Named[] = [
    ...(all.some(isAlive) ? (['kill'] as const) : []),
    ...(all.every(isAlive) ? [] : ([['restart_session', 'start again'], 'remove_session'] as const)),
  ];
  if (marked.size > 0) {
    const again = all.some(isAlive) ? (['restart_session'] as const) : [];
    return by('grid', ...ends, ...again, 'tag', 'send_text', 'export_session', ['back', 'unmark']);
  }
  const [session] = all;
  const open: Named = session && isAlive(session) ? ['attach', attaches] : ['attach', 'look back'];
  return by(open, 'session_details', ...ends, 'rename');
}

const answerHint = ({ item }: ItemEntry): readonly ActionName[] => (takesText(item) ? ['answer'] : []);

const widthOfAll = (hints: readonly Hint[]): number =>
  hints.reduce((sum, [key, meaning]) => sum + widthOf(`${key} ${meaning}`) + 2, 1);

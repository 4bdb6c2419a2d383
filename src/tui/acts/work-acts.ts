/**
 * The effects of keys in the views of tasks, runs and blueprints: moving, opening, and acting on one. Pure; actions.ts
 * assigns the keys.
 */
import {
  type Blueprint,
  type Item,
  isRunOver,
  isTaskOver,
  mayPlan,
  mayStart,
  type Run,
  type RunSummary,
  type Session,
  type Task,
  type TaskSummary,
} from '../../protocol/index.js';
import { lineOf } from '../input/line-editor.js';
import { entryOfItem, isAlive, type Model, openItems } from '../model/model.js';
import { itemOfRun, itemOfTask, sessionOfTask } from '../model/work-model.js';
import { briefTask } from '../model/work-words.js';
import { newWorkForm } from './forms/work-form.js';
import { MUTE_MS, startTyping } from './item-acts.js';
import { attach, focusOn, openItem, selectItem } from './list-acts.js';
import { nothingHere } from './session-acts.js';
import { shownBlueprints, shownRuns, shownTasks } from './shown.js';
import {
  browse,
  go,
  type KeyContext,
  type KeyResult,
  notify,
  scrolled,
  stay,
  type UiState,
  type ViewName,
} from './ui-state.js';

export const WORK_LISTS = ['tasks', 'runs', 'blueprints'] as const;
export type WorkList = (typeof WORK_LISTS)[number];
export const isWorkList = (view: ViewName): view is WorkList => WORK_LISTS.some((one) => one === view);

/** True in the lists and details of tasks, runs and blueprints. */
export const isAmongWork = ({ view }: Pick<UiState, 'view'>): boolean =>
  isWorkList(view) || view === 'task' || view === 'run' || view === 'blueprint';

// ── what is selected ────────────────────────────────────────────────────────────────────────────────────────────────

interface Selection {
  readonly ids: readonly string[];
  readonly id: string | null;
}

function selectionOf(ui: UiState, model: Model): Selection {
  switch (ui.view) {
    case 'tasks':
    case 'task':
      return { ids: shownTasks(model, ui).map(({ id }) => id), id: ui.taskId };
    case 'runs':
    case 'run':
      return { ids: shownRuns(model, ui).map(({ id }) => id), id: ui.runId };
    default:
      return { ids: shownBlueprints(model, ui).map(({ name }) => name), id: ui.blueprint };
  }
}

/** Returns the index of the selected entry among those shown; 0 if the selected one is gone. */
export function workIndex(ui: UiState, model: Model): number {
  const { ids, id } = selectionOf(ui, model);
  return Math.max(0, id === null ? 0 : ids.indexOf(id));
}

const selected = (ui: UiState, model: Model): string | null => selectionOf(ui, model).ids[workIndex(ui, model)] ?? null;

export function moveInWork(ui: UiState, by: number, model: Model): UiState {
  // A run that was opened from its task is not in a list, so there is no next or previous run.
  if (ui.view === 'run' && ui.runBack === 'task') return ui;
  const { ids } = selectionOf(ui, model);
  const id = ids[Math.max(0, Math.min(ids.length - 1, workIndex(ui, model) + by))] ?? null;
  const there = { ...ui, scroll: 0 };
  if (ui.view === 'tasks' || ui.view === 'task') return { ...there, taskId: id };
  return ui.view === 'runs' || ui.view === 'run' ? { ...there, runId: id } : { ...there, blueprint: id };
}

/** Returns the task that keys act on, in brief; null in other views. */
export function chosenTask(ui: UiState, { work, ...model }: Model): TaskSummary | Task | null {
  if (ui.view === 'task') return taskOf(ui, { work }) ?? work.tasks.find(({ id }) => id === ui.taskId) ?? null;
  if (ui.view !== 'tasks') return null;
  return shownTasks({ work, ...model }, ui)[workIndex(ui, { work, ...model })] ?? null;
}

export function chosenRun(ui: UiState, model: Model): RunSummary | Run | null {
  if (ui.view === 'run') return runOf(ui, model) ?? model.work.runs.find(({ id }) => id === ui.runId) ?? null;
  return ui.view === 'runs' ? (shownRuns(model, ui)[workIndex(ui, model)] ?? null) : null;
}

export function chosenBlueprint(ui: UiState, model: Model): Blueprint | null {
  if (ui.view !== 'blueprint' && ui.view !== 'blueprints') return null;
  return shownBlueprints(model, ui)[workIndex(ui, model)] ?? null;
}

/** Returns the complete open task; null until the daemon has sent it. */
export const taskOf = ({ taskId }: UiState, { work: { task } }: Pick<Model, 'work'>): Task | null =>
  task?.id === taskId ? task : null;

export const runOf = ({ runId }: UiState, { work: { run } }: Pick<Model, 'work'>): Run | null =>
  run?.id === runId ? run : null;

/** Returns the session whose screen is shown below the details. */
export function workSession(ui: UiState, model: Model): string | null {
  if (ui.view === 'session') return ui.sessionId;
  if (ui.view === 'run') return runOf(ui, model)?.session_id ?? null;
  const task = ui.view === 'task' ? taskOf(ui, model) : null;
  return task && sessionOfTask(task, model.work);
}

// ── from view to view ───────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Opens the list of tasks; from there it goes back to the lists. From an item of a task or a run, it opens that task or
 * run.
 */
export function goToWork(ui: UiState, { model }: KeyContext): KeyResult {
  const { mode } = ui;
  const item = mode.kind === 'item' ? entryOfItem(model, mode.itemId)?.item : undefined;
  const there = { ...browse(ui), isZoomed: false, scroll: 0 };
  if (item?.task_id !== undefined) return stay({ ...there, view: 'task', taskId: item.task_id });
  if (item?.run_id !== undefined) return stay({ ...there, view: 'run', runId: item.run_id, runBack: 'runs' });
  return stay({ ...there, view: isAmongWork(ui) ? 'lists' : ui.workList });
}

export function nextWorkList(ui: UiState, step: 1 | -1): KeyResult {
  if (!isWorkList(ui.view)) return stay(ui);
  const at = WORK_LISTS.indexOf(ui.view) + step;
  const view = WORK_LISTS[(at + WORK_LISTS.length) % WORK_LISTS.length] ?? 'tasks';
  return stay({ ...ui, view, workList: view });
}

export function openWork(ui: UiState, { model }: KeyContext): KeyResult {
  const id = selected(ui, model);
  if (id === null) return stay(ui);
  const there = { ...ui, isZoomed: false, scroll: 0 };
  if (ui.view === 'tasks') return stay({ ...there, view: 'task', taskId: id });
  if (ui.view === 'runs') return stay({ ...there, view: 'run', runId: id, runBack: 'runs' });
  return ui.view === 'blueprints' ? stay({ ...there, view: 'blueprint', blueprint: id }) : stay(ui);
}

/** Leaves the innermost state: a filter, then the details, then the list. */
export function leaveWork(ui: UiState): UiState {
  const { view } = ui;
  if (isWorkList(view) && ui.filters[view] !== '') return { ...ui, filters: { ...ui.filters, [view]: '' } };
  const outer = { task: 'tasks', run: ui.runBack, blueprint: 'blueprints', session: 'lists' } as const;
  return { ...browse(ui), scroll: 0, view: view in outer ? outer[view as keyof typeof outer] : 'lists' };
}

export function showSession(ui: UiState, { model, at }: KeyContext): KeyResult {
  const isThere = model.sessions.some(({ id }) => id === ui.sessionId);
  if (!isThere) return nothingHere(ui, model, at, 'orchd show S');
  return stay({ ...ui, view: 'session', scroll: 0, isZoomed: false });
}

export function scrollWork(ui: UiState, direction: 1 | -1, context: KeyContext): KeyResult {
  return stay({ ...ui, scroll: scrolled(ui.scroll, direction, context) });
}

/** Opens the open question; else attaches to the running session; else opens the last run of a task. */
export function goOnWithWork(ui: UiState, context: KeyContext): KeyResult {
  const { model, at } = context;
  const item = askedBy(ui, model);
  if (item) return openItem(selectItem(ui, item.id, model), item.id, at);
  const session = sessionOfWork(ui, model);
  if (session && isAlive(session) && session.mode === 'pty') return attach(ui, session.id, context);
  return ui.view === 'task' ? lastRun(ui, context) : stay(notify(ui, 'nothing of it runs or waits', at));
}

/** Starts the answer to the oldest question of the task or the run, as in the inbox. */
export function answerWork(ui: UiState, context: KeyContext): KeyResult {
  const { model, at } = context;
  const item = askedBy(ui, model);
  // The person may go on typing an answer, so the next letters must not be interpreted as commands.
  if (!item) return stay({ ...notify(ui, 'it asks nothing', at), muted: { until: at + MUTE_MS, hasText: false } });
  return startTyping(selectItem(ui, item.id, model), context);
}

/** Returns the oldest open item of the selected task or run. */
export function askedBy(ui: UiState, model: Model): Item | null {
  const open = openItems(model);
  const task = chosenTask(ui, model);
  if (task) return itemOfTask(task, open);
  const run = chosenRun(ui, model);
  return run && itemOfRun(run, open);
}

/** Returns the session of the selected task or run. */
function sessionOfWork(ui: UiState, model: Model): Session | null {
  const id = workSession(ui, model) ?? chosenRun(ui, model)?.session_id ?? null;
  return model.sessions.find((session) => session.id === id) ?? null;
}

export function goToWorkSession(ui: UiState, { model, at }: KeyContext): KeyResult {
  const session = sessionOfWork(ui, model);
  if (!session) return stay(notify(ui, 'no session of it is there', at));
  const sessionIndex = model.sessions.indexOf(session);
  const filters = { ...ui.filters, sessions: '' };
  return stay({ ...focusOn(ui, 'sessions'), filters, sessionId: session.id, sessionIndex });
}

/** Opens the run of the task's last attempt. */
export function lastRun(ui: UiState, { model, at }: KeyContext): KeyResult {
  const runId = taskOf(ui, model)?.attempts.at(-1)?.run_id;
  if (runId === undefined) return stay(notify(ui, 'no agent has worked on it yet', at));
  return stay({ ...ui, view: 'run', runId, runBack: 'task', scroll: 0 });
}

// ── requests to the daemon ──────────────────────────────────────────────────────────────────────────────────────────

export function startNew(ui: UiState, { model, directory }: KeyContext): KeyResult {
  const isTask = ui.view === 'tasks' || ui.view === 'task';
  const blueprint = chosenBlueprint(ui, model)?.name ?? null;
  return go(ui, { kind: 'filling', form: newWorkForm(isTask ? 'task' : 'run', directory, blueprint) });
}

export function plan(ui: UiState, { model, at }: KeyContext): KeyResult {
  const task = chosenTask(ui, model);
  if (!task) return stay(ui);
  if (!mayPlan(task)) return stay(notify(ui, `${briefTask(task)} is ${words(task.state)}: not planned now`, at));
  return { ui, effect: { kind: 'task', act: 'plan', taskId: task.id } };
}

/** Starts a planned task. For a blueprint, it opens the form of a new run. */
export function startWork(ui: UiState, context: KeyContext): KeyResult {
  const { model, at } = context;
  if (chosenBlueprint(ui, model)) return startNew(ui, context);
  const task = chosenTask(ui, model);
  if (!task) return stay(ui);
  // A summary does not contain the plan, so the daemon checks whether there is one.
  const may = 'plan' in task ? mayStart(task) : task.state === 'planned' || task.state === 'failed';
  if (!may) return stay(notify(ui, `${briefTask(task)} is ${words(task.state)}: nothing to start`, at));
  return { ui, effect: { kind: 'task', act: 'start', taskId: task.id } };
}

/** Starts a run again as a new run. A failed task is started again, or planned again if it has no plan. */
export function retryWork(ui: UiState, { model, at }: KeyContext): KeyResult {
  const run = chosenRun(ui, model);
  if (run && !isRunOver(run)) return stay(notify(ui, `${run.id} is ${words(run.state)}: not over yet`, at));
  if (run) return { ui, effect: { kind: 'run', act: 'retry', runId: run.id } };
  const task = chosenTask(ui, model);
  if (!task) return stay(ui);
  if (task.state !== 'failed') return stay(notify(ui, `${briefTask(task)} is ${words(task.state)}, not failed`, at));
  return { ui, effect: { kind: 'task', act: 'retry', taskId: task.id } };
}

export function startCancelWork(ui: UiState, { model, at }: KeyContext): KeyResult {
  const [task, run] = [chosenTask(ui, model), chosenRun(ui, model)];
  if (task && isTaskOver(task)) return stay(notify(ui, `${briefTask(task)} is ${words(task.state)} already`, at));
  if (run && isRunOver(run)) return stay(notify(ui, `${run.id} is ${words(run.state)} already`, at));
  if (task) return go(ui, { kind: 'cancelling_work', what: 'task', id: task.id });
  return run ? go(ui, { kind: 'cancelling_work', what: 'run', id: run.id }) : stay(ui);
}

const words = (state: string): string => state.replace('_', ' ');

export const startWorkFilter = (ui: UiState): KeyResult =>
  isWorkList(ui.view) ? go(ui, { kind: 'filtering', list: ui.view, line: lineOf(ui.filters[ui.view]) }) : stay(ui);

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
import { MUTE_MS, startTyping } from '../model/acts/item-acts.js';
import { attach, focusOn, openItem, selectItem } from '../model/acts/list-acts.js';
import { nothingHere } from '../model/acts/session-acts.js';
import { isAlive, type Model, openItems } from '../model/model.js';
import {
  browse,
  go,
  notify,
  type Place,
  type Steered,
  type Surroundings,
  stay,
  type ViewName,
} from '../model/place.js';
import { shownBlueprints, shownRuns, shownTasks } from '../model/shown.js';
import { newWorkForm } from './form/work-form.js';
import { itemOfRun, itemOfTask, sessionOfTask } from './work-model.js';
import { briefTask } from './work-words.js';

export const WORK_LISTS = ['tasks', 'runs', 'blueprints'] as const;
export type WorkList = (typeof WORK_LISTS)[number];
export const isWorkList = (view: ViewName): view is WorkList => WORK_LISTS.some((one) => one === view);

/** True in the lists and details of tasks, runs and blueprints. */
export const isAmongWork = ({ view }: Pick<Place, 'view'>): boolean =>
  isWorkList(view) || view === 'task' || view === 'run' || view === 'blueprint';

// ── what is selected ────────────────────────────────────────────────────────────────────────────────────────────────

interface Selection {
  readonly ids: readonly string[];
  readonly id: string | null;
}

function selectionOf(place: Place, model: Model): Selection {
  switch (place.view) {
    case 'tasks':
    case 'task':
      return { ids: shownTasks(model, place).map(({ id }) => id), id: place.taskId };
    case 'runs':
    case 'run':
      return { ids: shownRuns(model, place).map(({ id }) => id), id: place.runId };
    default:
      return { ids: shownBlueprints(model, place).map(({ name }) => name), id: place.blueprint };
  }
}

/** Returns the index of the selected entry among those shown; 0 if the selected one is gone. */
export function workIndex(place: Place, model: Model): number {
  const { ids, id } = selectionOf(place, model);
  return Math.max(0, id === null ? 0 : ids.indexOf(id));
}

const selected = (place: Place, model: Model): string | null =>
  selectionOf(place, model).ids[workIndex(place, model)] ?? null;

export function moveInWork(place: Place, by: number, model: Model): Place {
  // A run that was opened from its task is not in a list, so there is no next or previous run.
  if (place.view === 'run' && place.runBack === 'task') return place;
  const { ids } = selectionOf(place, model);
  const id = ids[Math.max(0, Math.min(ids.length - 1, workIndex(place, model) + by))] ?? null;
  const there = { ...place, scroll: 0 };
  if (place.view === 'tasks' || place.view === 'task') return { ...there, taskId: id };
  return place.view === 'runs' || place.view === 'run' ? { ...there, runId: id } : { ...there, blueprint: id };
}

/** Returns the task that keys act on, in brief; null in other views. */
export function chosenTask(place: Place, { work, ...model }: Model): TaskSummary | Task | null {
  if (place.view === 'task') return taskOf(place, { work }) ?? work.tasks.find(({ id }) => id === place.taskId) ?? null;
  if (place.view !== 'tasks') return null;
  return shownTasks({ work, ...model }, place)[workIndex(place, { work, ...model })] ?? null;
}

export function chosenRun(place: Place, model: Model): RunSummary | Run | null {
  if (place.view === 'run') return runOf(place, model) ?? model.work.runs.find(({ id }) => id === place.runId) ?? null;
  return place.view === 'runs' ? (shownRuns(model, place)[workIndex(place, model)] ?? null) : null;
}

export function chosenBlueprint(place: Place, model: Model): Blueprint | null {
  if (place.view !== 'blueprint' && place.view !== 'blueprints') return null;
  return shownBlueprints(model, place)[workIndex(place, model)] ?? null;
}

/** Returns the complete open task; null until the daemon has sent it. */
export const taskOf = ({ taskId }: Place, { work: { task } }: Pick<Model, 'work'>): Task | null =>
  task?.id === taskId ? task : null;

export const runOf = ({ runId }: Place, { work: { run } }: Pick<Model, 'work'>): Run | null =>
  run?.id === runId ? run : null;

/** Returns the session whose screen is shown below the details. */
export function workSession(place: Place, model: Model): string | null {
  if (place.view === 'session') return place.sessionId;
  if (place.view === 'run') return runOf(place, model)?.session_id ?? null;
  const task = place.view === 'task' ? taskOf(place, model) : null;
  return task && sessionOfTask(task, model.work);
}

// ── from place to place ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Opens the list of tasks; from there it goes back to the lists. From an item of a task or a run, it opens that task or
 * run.
 */
export function goToWork(place: Place, { model }: Surroundings): Steered {
  const { mode } = place;
  const item = mode.kind === 'item' ? model.items.find((entry) => entry.item.id === mode.itemId)?.item : undefined;
  const there = { ...browse(place), isZoomed: false, scroll: 0 };
  if (item?.task_id !== undefined) return stay({ ...there, view: 'task', taskId: item.task_id });
  if (item?.run_id !== undefined) return stay({ ...there, view: 'run', runId: item.run_id, runBack: 'runs' });
  return stay({ ...there, view: isAmongWork(place) ? 'lists' : place.workList });
}

export function nextWorkList(place: Place, step: 1 | -1): Steered {
  if (!isWorkList(place.view)) return stay(place);
  const at = WORK_LISTS.indexOf(place.view) + step;
  const view = WORK_LISTS[(at + WORK_LISTS.length) % WORK_LISTS.length] ?? 'tasks';
  return stay({ ...place, view, workList: view });
}

export function openWork(place: Place, { model }: Surroundings): Steered {
  const id = selected(place, model);
  if (id === null) return stay(place);
  const there = { ...place, isZoomed: false, scroll: 0 };
  if (place.view === 'tasks') return stay({ ...there, view: 'task', taskId: id });
  if (place.view === 'runs') return stay({ ...there, view: 'run', runId: id, runBack: 'runs' });
  return place.view === 'blueprints' ? stay({ ...there, view: 'blueprint', blueprint: id }) : stay(place);
}

/** Leaves the innermost state: a filter, then the details, then the list. */
export function leaveWork(place: Place): Place {
  const { view } = place;
  if (isWorkList(view) && place.filters[view] !== '') return { ...place, filters: { ...place.filters, [view]: '' } };
  const outer = { task: 'tasks', run: place.runBack, blueprint: 'blueprints', session: 'lists' } as const;
  return { ...browse(place), scroll: 0, view: view in outer ? outer[view as keyof typeof outer] : 'lists' };
}

export function showSession(place: Place, { model, at }: Surroundings): Steered {
  const isThere = model.sessions.some(({ id }) => id === place.sessionId);
  if (!isThere) return nothingHere(place, model, at, 'orchd show S');
  return stay({ ...place, view: 'session', scroll: 0, isZoomed: false });
}

const SCROLL = 5;

export function scrollWork(place: Place, direction: 1 | -1, { view }: Surroundings): Steered {
  const scroll = Math.max(0, Math.min(view().maxScroll, place.scroll + direction * SCROLL));
  return stay({ ...place, scroll });
}

/** Opens the open question; else attaches to the running session; else opens the last run of a task. */
export function goOnWithWork(place: Place, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const item = askedBy(place, model);
  if (item) return openItem(selectItem(place, item.id, model), item.id, at);
  const session = sessionOfWork(place, model);
  if (session && isAlive(session) && session.mode === 'pty') return attach(place, session.id, surroundings);
  return place.view === 'task' ? lastRun(place, surroundings) : stay(notify(place, 'nothing of it runs or waits', at));
}

/** Starts the answer to the oldest question of the task or the run, as in the inbox. */
export function answerWork(place: Place, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const item = askedBy(place, model);
  // The person may go on typing an answer, so the next letters must not be interpreted as commands.
  if (!item) return stay({ ...notify(place, 'it asks nothing', at), muted: { until: at + MUTE_MS, hasText: false } });
  return startTyping(selectItem(place, item.id, model), surroundings);
}

/** Returns the oldest open item of the selected task or run. */
export function askedBy(place: Place, model: Model): Item | null {
  const open = openItems(model);
  const task = chosenTask(place, model);
  if (task) return itemOfTask(task, open);
  const run = chosenRun(place, model);
  return run && itemOfRun(run, open);
}

/** Returns the session of the selected task or run. */
function sessionOfWork(place: Place, model: Model): Session | null {
  const id = workSession(place, model) ?? chosenRun(place, model)?.session_id ?? null;
  return model.sessions.find((session) => session.id === id) ?? null;
}

export function goToWorkSession(place: Place, { model, at }: Surroundings): Steered {
  const session = sessionOfWork(place, model);
  if (!session) return stay(notify(place, 'no session of it is there', at));
  const sessionIndex = model.sessions.indexOf(session);
  const filters = { ...place.filters, sessions: '' };
  return stay({ ...focusOn(place, 'sessions'), filters, sessionId: session.id, sessionIndex });
}

/** Opens the run of the task's last attempt. */
export function lastRun(place: Place, { model, at }: Surroundings): Steered {
  const runId = taskOf(place, model)?.attempts.at(-1)?.run_id;
  if (runId === undefined) return stay(notify(place, 'no agent has worked on it yet', at));
  return stay({ ...place, view: 'run', runId, runBack: 'task', scroll: 0 });
}

// ── requests to the daemon ──────────────────────────────────────────────────────────────────────────────────────────

export function startNew(place: Place, { model, directory }: Surroundings): Steered {
  const isTask = place.view === 'tasks' || place.view === 'task';
  const blueprint = chosenBlueprint(place, model)?.name ?? null;
  return go(place, { kind: 'filling', form: newWorkForm(isTask ? 'task' : 'run', directory, blueprint) });
}

export function plan(place: Place, { model, at }: Surroundings): Steered {
  const task = chosenTask(place, model);
  if (!task) return stay(place);
  if (!mayPlan(task)) return stay(notify(place, `${briefTask(task)} is ${words(task.state)}: not planned now`, at));
  return { place, effect: { kind: 'task', act: 'plan', taskId: task.id } };
}

/** Starts a planned task. For a blueprint, it opens the form of a new run. */
export function startWork(place: Place, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  if (chosenBlueprint(place, model)) return startNew(place, surroundings);
  const task = chosenTask(place, model);
  if (!task) return stay(place);
  // A summary does not contain the plan, so the daemon checks whether there is one.
  const may = 'plan' in task ? mayStart(task) : task.state === 'planned' || task.state === 'failed';
  if (!may) return stay(notify(place, `${briefTask(task)} is ${words(task.state)}: nothing to start`, at));
  return { place, effect: { kind: 'task', act: 'start', taskId: task.id } };
}

/** Starts a run again as a new run. A failed task is started again, or planned again if it has no plan. */
export function retryWork(place: Place, { model, at }: Surroundings): Steered {
  const run = chosenRun(place, model);
  if (run && !isRunOver(run)) return stay(notify(place, `${run.id} is ${words(run.state)}: not over yet`, at));
  if (run) return { place, effect: { kind: 'run', act: 'retry', runId: run.id } };
  const task = chosenTask(place, model);
  if (!task) return stay(place);
  if (task.state !== 'failed') return stay(notify(place, `${briefTask(task)} is ${words(task.state)}, not failed`, at));
  return { place, effect: { kind: 'task', act: 'retry', taskId: task.id } };
}

export function startCancelWork(place: Place, { model, at }: Surroundings): Steered {
  const [task, run] = [chosenTask(place, model), chosenRun(place, model)];
  if (task && isTaskOver(task)) return stay(notify(place, `${briefTask(task)} is ${words(task.state)} already`, at));
  if (run && isRunOver(run)) return stay(notify(place, `${run.id} is ${words(run.state)} already`, at));
  if (task) return go(place, { kind: 'cancelling_work', what: 'task', id: task.id });
  return run ? go(place, { kind: 'cancelling_work', what: 'run', id: run.id }) : stay(place);
}

const words = (state: string): string => state.replace('_', ' ');

export const startWorkFilter = (place: Place): Steered =>
  isWorkList(place.view)
    ? go(place, { kind: 'filtering', list: place.view, line: lineOf(place.filters[place.view]) })
    : stay(place);

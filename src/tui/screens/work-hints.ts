/** The keys shown in the last line in the views of tasks, runs and blueprints, the most useful first. Pure. */
import { isRunOver, isTaskOver, mayPlan, mayStart } from '../../protocol/index.js';
import { askedBy, chosenBlueprint, chosenRun, chosenTask, isWorkList, workSession } from '../acts/work-acts.js';
import { isAlive, openItems } from '../model/model.js';
import type { State } from '../view/store.js';
import { maxWorkScroll } from '../view/work-areas.js';
import type { By, Hint, Named } from './key-line.js';

export function workHints(state: State, by: By): readonly Hint[] {
  const { ui, model } = state;
  const isList = isWorkList(ui.view);
  const isFiltered = isWorkList(ui.view) && ui.filters[ui.view] !== '';
  const item = askedBy(ui, model);
  const session = model.sessions.find(({ id }) => id === (workSession(ui, model) ?? chosenRun(ui, model)?.session_id));
  const isAttachable = !isList && session !== undefined && isAlive(session) && session.mode === 'pty';
  const isSomething = chosenTask(ui, model) || chosenRun(ui, model) || chosenBlueprint(ui, model);
  const enter = isList
    ? isSomething
      ? by('open_work')
      : []
    : ui.view === 'task' || ui.view === 'run'
      ? item
        ? by(['open_attempt', 'answer'])
        : isAttachable
          ? by(['open_attempt', 'attach'])
          : []
      : [];
  const waiting = openItems(model).length > 0 && !item ? by('next_waiting') : [];
  return [
    ...enter,
    ...(item && isList ? by('answer_work') : []),
    ...by(...acts(state)),
    ...(isFiltered ? by(['back', 'all']) : by('back')),
    ...(isList ? by('next_work_list', ['new_work', ui.view === 'tasks' ? 'new task' : 'new run']) : []),
    ...(ui.view === 'task' ? by('last_run') : []),
    ...(session && ui.view !== 'session' ? by('work_session') : []),
    ...(isList ? by('filter_work') : maxWorkScroll(state) > 0 ? by(['page_down', 'scroll']) : []),
    ...waiting,
    ...by('help', ['palette', 'all actions']),
  ];
}

/** Returns the actions that are possible on the selected entry. */
function acts({ ui, model }: State): Named[] {
  const task = chosenTask(ui, model);
  if (task) {
    const isStartable = 'plan' in task ? mayStart(task) : task.state === 'planned';
    const again = task.state === 'failed' ? (['retry'] as const) : [];
    return [
      ...(isStartable && task.state !== 'failed' ? (['start_work'] as const) : []),
      ...again,
      ...(mayPlan(task) ? [['plan', task.state === 'pending' ? 'plan' : 'plan again'] as const] : []),
      ...(isTaskOver(task) ? [] : (['cancel_work'] as const)),
    ];
  }
  const run = chosenRun(ui, model);
  if (run) return [isRunOver(run) ? 'retry' : 'cancel_work'];
  return chosenBlueprint(ui, model) ? [['start_work', 'start a run']] : [];
}

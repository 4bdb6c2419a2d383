/** The keys shown in the last line in the views of tasks, runs and blueprints, the most useful first. Pure. */
import { isRunOver, isTaskOver, mayPlan, mayStart } from '../../protocol/index.js';
import { isAlive, openItems } from '../model/model.js';
import type { State } from '../model/store.js';
import type { By, Hint, Named } from '../screens/key-line.js';
import { maxWorkScroll } from './details/work-areas.js';
import { askedBy, chosenBlueprint, chosenRun, chosenTask, isWorkList, workSession } from './work-acts.js';

export function workHints(state: State, by: By): readonly Hint[] {
  const { place, model } = state;
  const isList = isWorkList(place.view);
  const isFiltered = isWorkList(place.view) && place.filters[place.view] !== '';
  const item = askedBy(place, model);
  const session = model.sessions.find(
    ({ id }) => id === (workSession(place, model) ?? chosenRun(place, model)?.session_id),
  );
  const isAttachable = !isList && session !== undefined && isAlive(session) && session.mode === 'pty';
  const isSomething = chosenTask(place, model) || chosenRun(place, model) || chosenBlueprint(place, model);
  const enter = isList
    ? isSomething
      ? by('open_work')
      : []
    : place.view === 'task' || place.view === 'run'
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
    ...(isList ? by('next_work_list', ['new_work', place.view === 'tasks' ? 'new task' : 'new run']) : []),
    ...(place.view === 'task' ? by('last_run') : []),
    ...(session && place.view !== 'session' ? by('work_session') : []),
    ...(isList ? by('filter_work') : maxWorkScroll(state) > 0 ? by(['page_down', 'scroll']) : []),
    ...waiting,
    ...by('help', ['palette', 'all actions']),
  ];
}

/** Returns the actions that are possible on the selected entry. */
function acts({ place, model }: State): Named[] {
  const task = chosenTask(place, model);
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
  const run = chosenRun(place, model);
  if (run) return [isRunOver(run) ? 'retry' : 'cancel_work'];
  return chosenBlueprint(place, model) ? [['start_work', 'start a run']] : [];
}

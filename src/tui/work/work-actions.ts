/** The actions in the views of tasks, runs and blueprints: a part of the table in actions.ts, in the order of help. */
import type { Action } from '../model/actions.js';
import * as work from './work-acts.js';

export const WORK_ACTIONS = [
  {
    ...{ name: 'next_work_list', group: 'work_lists', keys: ['l', 'Right'], hint: 'next list', yields: true },
    words: 'to the next of the lists: tasks, runs, blueprints',
    act: (place) => work.nextWorkList(place, 1),
  },
  {
    ...{ name: 'previous_work_list', group: 'work_lists', keys: ['h', 'Left'], yields: true },
    words: 'to the list before',
    act: (place) => work.nextWorkList(place, -1),
  },
  {
    ...{ name: 'open_work', group: 'work_lists', keys: ['Enter'], hint: 'open', yields: true },
    words: 'its details, with attempts and history',
    act: work.openWork,
  },
  {
    ...{ name: 'filter_work', group: 'work_lists', keys: ['/'], hint: 'filter', yields: true },
    words: 'only those with these words: state, prompt, agent, error, id',
    act: work.startWorkFilter,
  },
  {
    ...{ name: 'new_work', group: 'work', keys: ['n'], hint: 'new', yields: true },
    words: 'a new task; among runs and blueprints a new run',
    act: work.startNew,
  },
  {
    ...{ name: 'open_attempt', group: 'one', keys: ['Enter'], hint: 'open', yields: true },
    words: 'its question; else the terminal of what runs; else the last run of the task',
    act: work.goOnWithWork,
  },
  {
    ...{ name: 'answer_work', group: 'doing', keys: ['a'], hint: 'answer', yields: true },
    words: 'type an answer to its oldest question',
    act: work.answerWork,
  },
  {
    ...{ name: 'plan', group: 'tasks', keys: ['p'], hint: 'plan', yields: true },
    words: 'let the planner plan the task, or plan it again',
    act: work.plan,
  },
  {
    ...{ name: 'start_work', group: 'starting', keys: ['s'], hint: 'start', yields: true },
    words: 'start a task that is planned; start a run of a blueprint',
    act: work.startWork,
  },
  {
    ...{ name: 'retry', group: 'doing', keys: ['r'], hint: 'retry', yields: true },
    words: 'do a failed task again; run the same once more',
    act: work.retryWork,
  },
  {
    ...{ name: 'cancel_work', group: 'doing', keys: ['K'], hint: 'cancel it', yields: true },
    words: 'end the task or the run and its agent, after y',
    act: work.startCancelWork,
  },
  {
    ...{ name: 'last_run', group: 'task', keys: ['d'], hint: 'last run', yields: true },
    words: 'the run of its last attempt: every turn of the agent',
    act: work.lastRun,
  },
  {
    ...{ name: 'work_session', group: 'doing', keys: ['g'], hint: 'session', yields: true },
    words: 'go to its session',
    act: work.goToWorkSession,
  },
] as const satisfies readonly Action[];

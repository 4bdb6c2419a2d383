/** The actions in the views of tasks, runs and blueprints: a part of the table in actions.ts, in the order of help. */
import { type Action, action } from './action.js';
import * as work from './work-acts.js';

export const WORK_ACTIONS = [
  action('next_work_list', 'work_lists', ['l', 'Right'], {
    hint: 'next list',
    yields: true,
    words: 'to the next of the lists: tasks, runs, blueprints',
    act: (ui) => work.nextWorkList(ui, 1),
  }),
  action('previous_work_list', 'work_lists', ['h', 'Left'], {
    yields: true,
    words: 'to the list before',
    act: (ui) => work.nextWorkList(ui, -1),
  }),
  action('open_work', 'work_lists', ['Enter'], {
    hint: 'open',
    yields: true,
    words: 'its details, with attempts and history',
    act: work.openWork,
  }),
  action('filter_work', 'work_lists', ['/'], {
    hint: 'filter',
    yields: true,
    words: 'only those with these words: state, prompt, agent, error, id',
    act: work.startWorkFilter,
  }),
  action('new_work', 'work', ['n'], {
    hint: 'new',
    yields: true,
    words: 'a new task; among runs and blueprints a new run',
    act: work.startNew,
  }),
  action('open_attempt', 'one', ['Enter'], {
    hint: 'open',
    yields: true,
    words: 'its question; else the terminal of what runs; else the last run of the task',
    act: work.goOnWithWork,
  }),
  action('answer_work', 'doing', ['a'], {
    hint: 'answer',
    yields: true,
    words: 'type an answer to its oldest question',
    act: work.answerWork,
  }),
  action('plan', 'tasks', ['p'], {
    hint: 'plan',
    yields: true,
    words: 'let the planner plan the task, or plan it again',
    act: work.plan,
  }),
  action('start_work', 'starting', ['s'], {
    hint: 'start',
    yields: true,
    words: 'start a task that is planned; start a run of a blueprint',
    act: work.startWork,
  }),
  action('retry', 'doing', ['r'], {
    hint: 'retry',
    yields: true,
    words: 'do a failed task again; run the same once more',
    act: work.retryWork,
  }),
  action('cancel_work', 'doing', ['K'], {
    hint: 'cancel it',
    yields: true,
    words: 'end the task or the run and its agent, after y',
    act: work.startCancelWork,
  }),
  action('last_run', 'task', ['d'], {
    hint: 'last run',
    yields: true,
    words: 'the run of its last attempt: every turn of the agent',
    act: work.lastRun,
  }),
  action('work_session', 'doing', ['g'], {
    hint: 'session',
    yields: true,
    words: 'go to its session',
    act: work.goToWorkSession,
  }),
] as const satisfies readonly Action[];

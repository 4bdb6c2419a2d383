import { TASK_STATES } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type ActionSpec, type CommandSpec, ENV, type OptionSpec, oneOf, text } from '../program/command.js';

const START: OptionSpec = ['--start', 'start the task as soon as it is planned'];
const WAIT: OptionSpec = ['-w, --wait', 'wait until no part of the task is running'];
const AGENT: OptionSpec = [
  '--agent <name>',
  'the blueprint that does the task (default: the one that the planner assigns)',
];

const ACTIONS: readonly ActionSpec[] = [
  {
    name: 'create',
    summary: 'Create a task.',
    args: '[what...]',
    options: [
      ['--plan', 'plan the task at once'],
      START,
      WAIT,
      AGENT,
      ['--adapter <name>', 'the agent program of blueprints that name none'],
      ['--model <name>', 'the model, by the program’s name for it'],
      ['--max-turns <n>', 'limit of turns of the agent in each run'],
      ['--max-cost <dollars>', 'no new attempt after a run has cost this'],
      ['--timeout <duration>', 'time limit of each run'],
      ['-C, --cwd <dir>', 'working directory'],
      ENV,
    ],
    run: async (context, words, options) =>
      (await import('../task/make.js')).createTask(context, words.join(' '), options),
  },
  {
    name: 'plan',
    summary: 'Have a task planned.',
    args: '<task>',
    options: [START, WAIT, ENV],
    run: async (context, [task = ''], options) =>
      (await import('../task/make.js')).goOn(context, 'plan', task, options),
  },
  {
    name: 'answer',
    summary: 'Answer a question of a task.',
    args: '<task> [answer...]',
    options: [
      ['-n, --number <n>', 'number of the question, from 1 (default: the oldest open one)'],
      ['-d, --decline', 'decline to answer'],
      WAIT,
    ],
    run: async (context, [task = '', ...words], options) =>
      (await import('../task/make.js')).answerTask(context, task, words.join(' '), options),
  },
  {
    name: 'start',
    summary: 'Start a planned task.',
    args: '<task>',
    options: [AGENT, WAIT, ENV],
    run: async (context, [task = ''], options) =>
      (await import('../task/make.js')).goOn(context, 'start', task, options),
  },
  {
    name: 'show',
    summary: 'Show a task.',
    args: '<task>',
    run: async (context, [task = '']) => (await import('../task/inspect.js')).showTask(context, task),
  },
  {
    name: 'wait',
    summary: 'Wait until no part of a task is running.',
    args: '<task>',
    options: [['--timeout <duration>', 'give up after this, with exit code 124']],
    async run(context, [task = ''], options) {
      const timeout = text(options, 'timeout');
      const { waitForTask } = await import('../task/inspect.js');
      return waitForTask(context, task, timeout === undefined ? undefined : parseDuration('--timeout', timeout));
    },
  },
  {
    name: 'history',
    summary: 'Show what happened to a task.',
    args: '<task>',
    run: async (context, [task = '']) => (await import('../task/inspect.js')).showHistory(context, task),
  },
  {
    name: 'list',
    summary: 'List tasks.',
    options: [
      ['--state <state>', `only those that are ${oneOf(TASK_STATES)}`, TASK_STATES],
      ['--limit <n>', 'at most this many, the newest (default: 100)'],
    ],
    run: async (context, _args, options) => (await import('../task/inspect.js')).listTasks(context, options),
  },
  {
    name: 'cancel',
    summary: 'Cancel a task.',
    args: '<task>',
    run: async (context, [task = '']) => (await import('../task/inspect.js')).cancelTask(context, task),
  },
];

export const task: CommandSpec = {
  name: 'task',
  group: 'Agents',
  summary:
    'Tasks, which one agent plans and another does: create, plan, answer, start, show, wait for, list or cancel them.',
  examples: [
    'orchd task create --start --wait --adapter claude "Let the API take pages of results"',
    'orchd task create --plan --agent backend "Add rate limits"',
    'orchd task answer 7k3 "by user, not by address"',
    'orchd task start 7k3 --agent backend',
    'orchd task list --state awaiting_input',
    'orchd task history 7k3',
    'orchd task cancel 7k3',
  ],
  actions: ACTIONS.map((action) => ({ quiet: 'print ids only', ...action })),
};

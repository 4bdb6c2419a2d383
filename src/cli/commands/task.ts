import { OrchdError } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

export const TASK_ACTIONS = ['create', 'plan', 'answer', 'start', 'show', 'wait', 'history', 'list', 'cancel'] as const;

export const task: CommandSpec = {
  name: 'task',
  group: 'Agents',
  summary:
    'Tasks, which one agent plans and another does: create, plan, answer, start, show, wait for, list or cancel them.',
  args: '<action> [what-or-task...]',
  options: [
    ['--plan', 'create: plan the task at once'],
    ['--start', 'create, plan: start the task as soon as it is planned'],
    ['-w, --wait', 'create, plan, answer, start: wait until no part of the task is running'],
    ['--agent <name>', 'create, start: the blueprint that does the task (default: the one that the planner assigns)'],
    ['--adapter <name>', 'create: the agent program of blueprints that name none'],
    ['--model <name>', 'create: the model, by the program’s name for it'],
    ['--max-turns <n>', 'create: limit of turns of the agent in each run'],
    ['--max-cost <dollars>', 'create: no new attempt after a run has cost this'],
    ['--timeout <duration>', 'create: time limit of each run; wait: give up after this, with exit code 124'],
    ['-C, --cwd <dir>', 'create: working directory'],
    ['--env <k=v>', 'create, plan, start: set a variable (K alone: remove it); may be repeated…'],
    ['-n, --number <n>', 'answer: number of the question, from 1 (default: the oldest open one)'],
    ['-d, --decline', 'answer: decline to answer'],
    [
      '--state <state>',
      'list: only those that are pending, planning, planned, awaiting_input, running, completed, failed or cancelled',
    ],
    ['--limit <n>', 'list: at most this many, the newest (default: 100)'],
  ],
  quiet: 'print ids only',
  examples: [
    'orchd task create --start --wait --adapter claude "Let the API take pages of results"',
    'orchd task create --plan --agent backend "Add rate limits"',
    'orchd task answer 7k3 "by user, not by address"',
    'orchd task start 7k3 --agent backend',
    'orchd task list --state awaiting_input',
    'orchd task history 7k3',
    'orchd task cancel 7k3',
  ],
  async run(context, [action = '', ...words], options) {
    if (!isAction(action)) {
      throw new OrchdError('ORCHD_USAGE', `'${action}' is none of ${TASK_ACTIONS.join(', ')}`);
    }
    if (action === 'create') return (await import('../task/make.js')).createTask(context, words.join(' '), options);
    const inspect = await import('../task/inspect.js');
    const [which, ...more] = words;
    if (action === 'list') {
      if (which !== undefined)
        throw new OrchdError('ORCHD_USAGE', `\`orchd task list\` takes no task; see \`orchd task show ${which}\``);
      return inspect.listTasks(context, options);
    }
    if (which === undefined || (more.length > 0 && action !== 'answer')) {
      throw new OrchdError('ORCHD_USAGE', `say which: orchd task ${action} TASK`);
    }
    switch (action) {
      case 'plan':
      case 'start':
        return (await import('../task/make.js')).goOn(context, action, which, options);
      case 'answer':
        return (await import('../task/make.js')).answerTask(context, which, more.join(' '), options);
      case 'show':
        return inspect.showTask(context, which);
      case 'history':
        return inspect.showHistory(context, which);
      case 'cancel':
        return inspect.cancelTask(context, which);
      case 'wait': {
        const timeout = text(options, 'timeout');
        return inspect.waitForTask(
          context,
          which,
          timeout === undefined ? undefined : parseDuration('--timeout', timeout),
        );
      }
    }
  },
};

type Action = (typeof TASK_ACTIONS)[number];
const isAction = (word: string): word is Action => TASK_ACTIONS.some((action) => action === word);

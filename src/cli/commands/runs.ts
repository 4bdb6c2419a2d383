import { OrchdError } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

export const RUNS_ACTIONS = ['start', 'list', 'show', 'wait', 'cancel', 'retry'] as const;

export const runs: CommandSpec = {
  name: 'runs',
  group: 'Agents',
  summary: 'Runs, which take a prompt or a blueprint to a result: start, list, show, wait for, cancel or retry them.',
  args: '<action> [prompt-or-run...]',
  options: [
    ['-b, --blueprint <name>', 'start: which blueprint; list: only its runs'],
    ['-i, --input <input>', 'start: the input: JSON, @file, - or k=v; may be repeated…'],
    ['-w, --wait', 'start, retry: wait for the result and print it'],
    ['--timeout <duration>', 'start: time limit of the run; wait: give up after this, with exit code 124'],
    ['--adapter <name>', 'start: the agent program'],
    ['--model <name>', 'start: the model, by the program’s name for it'],
    ['--arg <argument>', 'start: an additional argument of the program; may be repeated…'],
    ['--tool <name>', 'start: a tool that the agent is offered; may be repeated…'],
    ['--interactive', 'start: run in a terminal that you can attach to'],
    ['--keep', 'start: with --interactive, the session continues after the run'],
    ['--instructions <file>', 'start: file with the system prompt; - for standard input'],
    ['--output-schema <file>', 'start: JSON Schema of the result'],
    ['--output-format <format>', 'start: json or envelope'],
    ['--max-turns <n>', 'start: limit of turns of the agent'],
    ['--max-cost <dollars>', 'start: no new attempt after this cost'],
    ['-C, --cwd <dir>', 'start: working directory'],
    ['--env <k=v>', 'start, retry: set a variable (K alone: remove it); may be repeated…'],
    ['--state <state>', 'list: only runs that are queued, running, rate_limited, completed, failed or cancelled'],
    ['--limit <n>', 'list: at most this many, the newest (default: 100)'],
  ],
  quiet: 'print ids only',
  examples: [
    'orchd runs start --adapter claude --wait "Summarize README.md"',
    'orchd runs start -b reviewer --input branch=fix-login --wait',
    'git diff | orchd runs start -b reviewer --input - --wait --json | jq .result_data',
    'orchd runs start --adapter shell --arg ./agent.py "Count to ten"',
    'orchd runs start --interactive --adapter codex --wait "Tidy up, and ask before you delete"',
    'orchd runs list --state failed',
    'orchd runs show 7k3',
    'orchd runs cancel 7k3',
  ],
  async run(context, [action = '', ...words], options) {
    if (!isAction(action)) {
      throw new OrchdError('ORCHD_USAGE', `'${action}' is none of ${RUNS_ACTIONS.join(', ')}`);
    }
    if (action === 'list' && words.length > 0) {
      throw new OrchdError('ORCHD_USAGE', `\`orchd runs list\` takes no run; see \`orchd runs show ${words[0]}\``);
    }
    if (action === 'start') return (await import('../runs/start.js')).startRun(context, words.join(' '), options);
    const [run, ...more] = words;
    if (action === 'list') return (await import('../runs/inspect.js')).listRuns(context, options);
    if (run === undefined || more.length > 0) {
      throw new OrchdError('ORCHD_USAGE', `say which: orchd runs ${action} RUN`);
    }
    if (action === 'retry') return (await import('../runs/start.js')).retryRun(context, run, options);
    const { cancelRun, showRun, waitForRun } = await import('../runs/inspect.js');
    const timeout = text(options, 'timeout');
    if (action === 'wait') {
      return waitForRun(context, run, timeout === undefined ? undefined : parseDuration('--timeout', timeout));
    }
    return action === 'cancel' ? cancelRun(context, run) : showRun(context, run);
  },
};

type Action = (typeof RUNS_ACTIONS)[number];
const isAction = (word: string): word is Action => RUNS_ACTIONS.some((action) => action === word);

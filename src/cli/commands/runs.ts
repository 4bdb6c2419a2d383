import { RUN_STATES } from '../../protocol/index.js';
import { ANY_MACHINE, ONE_MACHINE, targetOf } from '../hub/remote-target.js';
import { parseDuration } from '../input/parse-values.js';
import { type ActionSpec, type CommandSpec, ENV, type OptionSpec, oneOf, text } from '../program/command.js';
import { BLUEPRINT_OPTIONS } from './agent.js';

/** Starts the run on another machine of the hub, if the `hub.accept` of that machine allows it. */
const ON_MACHINE: OptionSpec = [
  '--machine <name>',
  'on this machine of the hub; --cwd is then a path or a project there',
];
const WAIT: OptionSpec = ['-w, --wait', 'wait for the result and print it'];

const ACTIONS: readonly ActionSpec[] = [
  {
    name: 'start',
    summary: 'Start a run.',
    args: '[prompt...]',
    options: [
      ['-b, --blueprint <name>', 'the blueprint'],
      ['-i, --input <input>', 'the input: JSON, @file, - or k=v…'],
      WAIT,
      ...BLUEPRINT_OPTIONS,
      ['--keep', 'with --interactive, the session continues after the run'],
      ['-C, --cwd <dir>', 'working directory'],
      ENV,
      ON_MACHINE,
    ],
    run: async (context, words, options) =>
      (await import('../runs/start.js')).startRun(context, words.join(' '), options),
  },
  {
    name: 'list',
    summary: 'List runs.',
    options: [
      ['--state <state>', `only runs that are ${oneOf(RUN_STATES)}`, RUN_STATES],
      ['-b, --blueprint <name>', 'only runs of this blueprint'],
      ['--limit <n>', 'at most this many, the newest (default: 100)'],
      ANY_MACHINE,
    ],
    run: async (context, _args, options) => (await import('../runs/inspect.js')).listRuns(context, options),
  },
  {
    name: 'show',
    summary: 'Show a run.',
    args: '<run>',
    options: [ONE_MACHINE],
    run: async (context, [run = ''], options) => (await import('../runs/inspect.js')).showRun(context, run, options),
  },
  {
    name: 'wait',
    summary: 'Wait for the result of a run and print it.',
    args: '<run>',
    options: [['--timeout <duration>', 'give up after this, with exit code 124'], ONE_MACHINE],
    async run(context, [run = ''], options) {
      const timeout = text(options, 'timeout');
      const place = targetOf(run, options);
      const { waitForRun } = await import('../runs/inspect.js');
      return waitForRun(context, place, timeout === undefined ? undefined : parseDuration('--timeout', timeout));
    },
  },
  {
    name: 'cancel',
    summary: 'Cancel a run.',
    args: '<run>',
    options: [ONE_MACHINE],
    run: async (context, [run = ''], options) => (await import('../runs/inspect.js')).cancelRun(context, run, options),
  },
  {
    name: 'retry',
    summary: 'Repeat a run that is over.',
    args: '<run>',
    options: [WAIT, ENV, ONE_MACHINE],
    run: async (context, [run = ''], options) => (await import('../runs/start.js')).retryRun(context, run, options),
  },
];

export const runs: CommandSpec = {
  name: 'runs',
  group: 'Agents',
  summary: 'Runs, which take a prompt or a blueprint to a result: start, list, show, wait for, cancel or retry them.',
  examples: [
    'orchd runs start --adapter claude --wait "Summarize README.md"',
    'orchd runs start -b reviewer --input branch=fix-login --wait',
    'git diff | orchd runs start -b reviewer --input - --wait --json | jq .result_data',
    'orchd runs start --adapter shell --arg ./agent.py "Count to ten"',
    'orchd runs start --interactive --adapter codex --wait "Tidy up, and ask before you delete"',
    'orchd runs list --state failed',
    'orchd runs show 7k3',
    'orchd runs cancel 7k3',
    'orchd runs start --machine build-7 -C shop --adapter claude --wait "Why does the build fail?"',
    'orchd runs wait build-7/run_7k3',
  ],
  actions: ACTIONS.map((action) => ({ quiet: 'print ids only', ...action })),
};

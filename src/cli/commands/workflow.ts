import { WORKFLOW_STATES } from '../../protocol/index.js';
import { ANY_MACHINE, ONE_MACHINE, targetOf } from '../hub/remote-target.js';
import { parseDuration } from '../input/parse-values.js';
import { type ActionSpec, type CommandSpec, ENV, flag, type OptionSpec, oneOf, text } from '../program/command.js';

const ALLOW_OUTSIDE: OptionSpec = ['--allow-outside', 'FROM may name files outside of the Agentfile’s directory'];
const DETACH: OptionSpec = ['-d, --detach', 'print the id and return (default: wait; Ctrl-C cancels the workflow)'];

/** If no file is given, the Agentfile of this folder is used. */
const orAgentfile = (files: readonly string[]): readonly string[] => (files.length === 0 ? ['Agentfile'] : files);

const ACTIONS: readonly ActionSpec[] = [
  {
    name: 'check',
    summary: 'Check Agentfiles.',
    args: '[file...]',
    options: [ALLOW_OUTSIDE, ['--strict', 'exit with 6 also for warnings']],
    quiet: 'print problems only',
    async run(context, files, options) {
      const how = { allowOutside: flag(options, 'allowOutside'), isStrict: flag(options, 'strict') };
      return (await import('../workflow/check.js')).checkFiles(context, orAgentfile(files), how);
    },
  },
  {
    name: 'fmt',
    summary: 'Format Agentfiles in the standard style.',
    args: '[file...]',
    options: [
      ['--write', 'write to the file (default: to standard output)'],
      ['--check', 'change nothing; name the files that are not formatted, and exit with 1'],
    ],
    quiet: 'with --write: print nothing',
    run: async (context, files, options) =>
      (await import('../workflow/format.js')).formatFiles(context, orAgentfile(files), options),
  },
  {
    name: 'graph',
    summary: 'Draw an Agentfile.',
    args: '[file...]',
    options: [['--format <format>', 'text, mermaid or svg (default: text)'], ALLOW_OUTSIDE],
    run: async (context, files, options) =>
      (await import('../workflow/graph.js')).drawFile(context, orAgentfile(files), options),
  },
  {
    name: 'run',
    summary: 'Run an Agentfile.',
    args: '[file...]',
    options: [
      ['-i, --input <input>', 'values of INPUTs: JSON, @file, - or k=v…'],
      ['--jobs <n>', 'how many goals may run at the same time (default: 1)'],
      DETACH,
      ['--adapter <name>', 'the agent program of goals that name none'],
      ['--model <name>', 'the model, by the program’s name for it'],
      ['-C, --cwd <dir>', 'working directory of its agents'],
      ENV,
      ['--machine <name>', 'on this machine of the hub; --cwd is then a path or a project there'],
      ['--dry-run', 'show what would run, and run nothing'],
      ['--full', 'with --dry-run: show long prompts in full'],
      ALLOW_OUTSIDE,
    ],
    quiet: 'print ids only; with --dry-run: ids of steps',
    async run(context, files, options) {
      if (flag(options, 'dryRun'))
        return (await import('../workflow/rehearse.js')).rehearseFile(context, orAgentfile(files), options);
      return (await import('../workflow/run.js')).runFile(context, orAgentfile(files), options);
    },
  },
  {
    name: 'files',
    summary: 'List the Agentfiles of a project.',
    args: '[dir]',
    quiet: 'print paths only',
    run: async (context, [dir = '.']) => (await import('../workflow/files.js')).listFiles(context, dir),
  },
  {
    name: 'list',
    summary: 'List runs of workflows.',
    options: [
      ['--state <state>', `only workflows that are ${oneOf(WORKFLOW_STATES)}`, WORKFLOW_STATES],
      ['--limit <n>', 'at most this many, the newest (default: 100)'],
      ANY_MACHINE,
    ],
    quiet: 'print ids only',
    run: async (context, _args, options) => (await import('../workflow/inspect.js')).listRuns(context, options),
  },
  {
    name: 'show',
    summary: 'Show a run of a workflow.',
    args: '<workflow>',
    options: [ONE_MACHINE],
    quiet: 'print ids only',
    run: async (context, [run = ''], options) =>
      (await import('../workflow/inspect.js')).showRun(context, run, options),
  },
  {
    name: 'wait',
    summary: 'Wait until a run of a workflow is over.',
    args: '<workflow>',
    options: [['--timeout <duration>', 'give up after this, with exit code 124'], ONE_MACHINE],
    quiet: 'print ids only',
    async run(context, [run = ''], options) {
      const timeout = text(options, 'timeout');
      const place = targetOf(run, options);
      const { waitForRun } = await import('../workflow/inspect.js');
      return waitForRun(context, place, timeout === undefined ? undefined : parseDuration('--timeout', timeout));
    },
  },
  {
    name: 'resume',
    summary: 'Go on with a failed or cancelled run of a workflow.',
    args: '<workflow>',
    options: [
      ['--from <step>', 'repeat this step and all later ones (default: those that are not completed)'],
      ['--jobs <n>', 'how many goals may run at the same time (default: as before)'],
      DETACH,
      ENV,
      ONE_MACHINE,
    ],
    quiet: 'print ids only',
    run: async (context, [run = ''], options) => (await import('../workflow/run.js')).resumeRun(context, run, options),
  },
  {
    name: 'cancel',
    summary: 'Cancel a run of a workflow.',
    args: '<workflow>',
    options: [ONE_MACHINE],
    quiet: 'print ids only',
    run: async (context, [run = ''], options) =>
      (await import('../workflow/inspect.js')).cancelRun(context, run, options),
  },
];

export const workflow: CommandSpec = {
  name: 'workflow',
  group: 'Agents',
  summary:
    'Workflows, which Agentfiles describe: check, format (fmt), draw (graph), run or list (files) those; ' +
    'list, show, wait for, resume or cancel their runs.',
  examples: [
    'orchd workflow check ci/*.agentfile --strict',
    'orchd workflow check Agentfile --json | jq .files[].problems',
    'orchd workflow fmt --write Agentfile',
    'orchd workflow graph --format svg Agentfile > workflow.svg',
    'orchd workflow run --dry-run --input branch=fix-login --jobs 4',
    'orchd workflow run --input branch=fix-login --adapter claude',
    'orchd workflow run review.agentfile --jobs 4 --json > result.json',
    'orchd workflow list --state failed',
    'orchd workflow show 7k3',
    'orchd workflow resume 7k3 --from review',
    'orchd workflow run --machine build-7 -C shop --input branch=fix-login',
  ],
  actions: ACTIONS,
};

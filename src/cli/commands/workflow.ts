import { OrchdError } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export const WORKFLOW_ACTIONS = [
  ...(['check', 'fmt', 'graph', 'run'] as const),
  ...(['list', 'show', 'wait', 'resume', 'cancel'] as const),
] as const;

export const workflow: CommandSpec = {
  name: 'workflow',
  group: 'Agents',
  summary:
    'Workflows, which Agentfiles describe: check, format (fmt), draw (graph) or run those; list, show, wait ' +
    'for, resume or cancel their runs.',
  args: '<action> [file-or-run...]',
  options: [
    ['--allow-outside', 'check, graph, run: FROM may name files outside of the Agentfile’s directory'],
    ['--strict', 'check: exit with 6 also for warnings'],
    ['--write', 'fmt: write to the file (default: to standard output)'],
    ['--check', 'fmt: change nothing; name the files that are not formatted, and exit with 1'],
    ['--format <format>', 'graph: text, mermaid or svg (default: text)'],
    ['-i, --input <input>', 'run: values of INPUTs: JSON, @file, - or k=v; may be repeated…'],
    ['--jobs <n>', 'run, resume: how many goals may run at the same time (default: 1; resume: as before)'],
    ['-d, --detach', 'run, resume: print the id and return (default: wait; Ctrl-C cancels the workflow)'],
    ['--adapter <name>', 'run: the agent program of goals that name none'],
    ['--model <name>', 'run: the model, by the program’s name for it'],
    ['-C, --cwd <dir>', 'run: working directory of its agents'],
    ['--env <k=v>', 'run, resume: set a variable (K alone: remove it); may be repeated…'],
    ['--dry-run', 'run: show what would run, and run nothing'],
    ['--full', 'run --dry-run: show long prompts in full'],
    ['--from <step>', 'resume: repeat this step and all later ones (default: those that are not completed)'],
    ['--timeout <duration>', 'wait: give up after this, with exit code 124'],
    ['--state <state>', 'list: only workflows that are running, awaiting_input, completed, failed or cancelled'],
    ['--limit <n>', 'list: at most this many, the newest (default: 100)'],
  ],
  quiet: 'check: print problems only; fmt --write: nothing; run --dry-run: ids of steps; of runs: ids only',
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
  ],
  async run(context, [action = '', ...words], options) {
    if (!isAction(action)) {
      throw new OrchdError('ORCHD_USAGE', `'${action}' is none of ${WORKFLOW_ACTIONS.join(', ')}`);
    }
    const files = words.length === 0 ? ['Agentfile'] : words;
    switch (action) {
      case 'check': {
        const how = { allowOutside: flag(options, 'allowOutside'), isStrict: flag(options, 'strict') };
        return (await import('../workflow/check.js')).checkFiles(context, files, how);
      }
      case 'fmt':
        return (await import('../workflow/format.js')).formatFiles(context, files, options);
      case 'graph':
        return (await import('../workflow/graph.js')).drawFile(context, files, options);
      case 'run':
        if (flag(options, 'dryRun'))
          return (await import('../workflow/rehearse.js')).rehearseFile(context, files, options);
        return (await import('../workflow/run.js')).runFile(context, files, options);
      case 'list':
        if (words[0] === undefined) return (await import('../workflow/inspect.js')).listRuns(context, options);
        throw new OrchdError('ORCHD_USAGE', `\`list\` takes no run; see \`orchd workflow show ${words[0]}\``);
      default:
        return ofRun(context, action, words, options);
    }
  },
};

/** Runs an action on one run. */
async function ofRun(
  context: Context,
  action: 'show' | 'wait' | 'resume' | 'cancel',
  [run, ...more]: readonly string[],
  options: Options,
): Promise<number | undefined> {
  if (run === undefined || more.length > 0)
    throw new OrchdError('ORCHD_USAGE', `say which: orchd workflow ${action} RUN`);
  if (action === 'resume') return (await import('../workflow/run.js')).resumeRun(context, run, options);
  const inspect = await import('../workflow/inspect.js');
  if (action === 'show') return inspect.showRun(context, run);
  if (action === 'cancel') return inspect.cancelRun(context, run);
  const timeout = text(options, 'timeout');
  return inspect.waitForRun(context, run, timeout === undefined ? undefined : parseDuration('--timeout', timeout));
}

type Action = (typeof WORKFLOW_ACTIONS)[number];
const isAction = (word: string): word is Action => WORKFLOW_ACTIONS.some((action) => action === word);

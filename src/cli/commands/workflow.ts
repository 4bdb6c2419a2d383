import { OrchdError } from '../../protocol/index.js';
import { type CommandSpec, flag } from '../command.js';

export const WORKFLOW_ACTIONS = ['check', 'fmt', 'graph', 'run'] as const;

export const workflow: CommandSpec = {
  name: 'workflow',
  group: 'Agents',
  summary:
    'Agentfiles, which describe workflows: check, format (fmt), draw (graph) or rehearse (run --dry-run) them. Needs no daemon.',
  args: '<action> [files...]',
  options: [
    ['--allow-outside', 'check, graph, run: FROM may name files outside of the Agentfile’s directory'],
    ['--strict', 'check: exit with 6 for warnings, too'],
    ['--write', 'fmt: into the file (default: to standard output)'],
    ['--check', 'fmt: change nothing; name the files that are not formatted, and exit with 1'],
    ['--format <format>', 'graph: text, mermaid or svg (default: text)'],
    ['--dry-run', 'run: show what would run, and run nothing'],
    ['-i, --input <input>', 'run: values of INPUTs: JSON, @file, - or k=v; may be given several times…'],
    ['--jobs <n>', 'run: how many goals may run at the same time (default: 1)'],
    ['--full', 'run --dry-run: show long prompts to their end'],
  ],
  quiet: 'check: print problems only; fmt --write: nothing; run --dry-run: ids of steps',
  examples: [
    'orchd workflow check',
    'orchd workflow check ci/*.agentfile --strict',
    'orchd workflow check Agentfile --json | jq .files[].problems',
    'orchd workflow fmt --write Agentfile',
    'orchd workflow graph Agentfile',
    'orchd workflow graph --format svg Agentfile > workflow.svg',
    'orchd workflow run --dry-run --input branch=fix-login --jobs 4',
  ],
  async run(context, [action = '', ...files], options) {
    if (!isAction(action)) {
      throw new OrchdError('ORCHD_USAGE', `'${action}' is none of ${WORKFLOW_ACTIONS.join(', ')}`);
    }
    const named = files.length === 0 ? ['Agentfile'] : files;
    if (action === 'fmt') return (await import('../workflow/format.js')).formatFiles(context, named, options);
    if (action === 'graph') return (await import('../workflow/graph.js')).drawFile(context, named, options);
    if (action === 'run') {
      if (!flag(options, 'dryRun')) throw new OrchdError('ORCHD_USAGE', 'nothing is run yet: give --dry-run');
      return (await import('../workflow/rehearse.js')).rehearseFile(context, named, options);
    }
    return (await import('../workflow/check.js')).checkFiles(context, named, {
      allowOutside: flag(options, 'allowOutside'),
      isStrict: flag(options, 'strict'),
    });
  },
};

type Action = (typeof WORKFLOW_ACTIONS)[number];
const isAction = (word: string): word is Action => WORKFLOW_ACTIONS.some((action) => action === word);

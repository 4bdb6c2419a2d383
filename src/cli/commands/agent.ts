import { dirname } from 'node:path';
import type { About } from '../agent/inspect.js';
import { type ActionSpec, type CommandSpec, flag, type OptionSpec, type Options } from '../program/command.js';
import { type Context, findProject } from '../program/context.js';

const USER: OptionSpec = ['--user', 'your own blueprints, not those of the project'];
/** Options of a blueprint that a run without a blueprint has as well. */
export const BLUEPRINT_OPTIONS: readonly OptionSpec[] = [
  ['--adapter <name>', 'the agent program'],
  ['--model <name>', 'the model, by the program’s name for it'],
  ['--arg <argument>', 'an additional argument of the program…'],
  ['--tool <name>', 'a tool that the agent is offered…'],
  ['--interactive', 'run in a terminal that you can attach to'],
  ['--instructions <file>', 'file with the system prompt; - for standard input'],
  ['--output-schema <file>', 'JSON Schema of the result'],
  ['--output-format <format>', 'json or envelope'],
  ['--timeout <duration>', 'time limit of a run'],
  ['--max-turns <n>', 'limit of turns of the agent'],
  ['--max-cost <dollars>', 'no new attempt after this cost'],
];
const DEFINITION: readonly OptionSpec[] = [
  ['--from <file>', 'the definition as JSON; - for standard input'],
  ['--description <text>', 'description'],
  ['--prompt <text>', 'prompt for runs without a prompt'],
  ['--input-schema <file>', 'JSON Schema of the input'],
  ...BLUEPRINT_OPTIONS,
];

const aboutOf = (context: Context, name: string, options: Options): About => ({
  name,
  place: projectInput(context, options),
  options,
});

const ACTIONS: readonly ActionSpec[] = [
  {
    name: 'list',
    summary: 'List blueprints.',
    options: [USER, ['--all-projects', 'also blueprints of other projects']],
    run: async (context, _args, options) =>
      (await import('../agent/inspect.js')).listAgents(context, aboutOf(context, '', options)),
  },
  {
    name: 'show',
    summary: 'Show a blueprint.',
    args: '<blueprint>',
    options: [USER],
    run: async (context, [name = ''], options) =>
      (await import('../agent/inspect.js')).showAgent(context, aboutOf(context, name, options)),
  },
  {
    name: 'create',
    summary: 'Create a blueprint.',
    args: '<name>',
    options: [USER, ['--file', 'save as files of the project (.orchd/agents/NAME), not in the daemon'], ...DEFINITION],
    run: async (context, [name = ''], options) =>
      (await import('../agent/save.js')).createAgent(context, aboutOf(context, name, options)),
  },
  {
    name: 'edit',
    summary: 'Change a blueprint: by options, or without options in $VISUAL or $EDITOR.',
    args: '<blueprint>',
    options: [USER, ...DEFINITION],
    run: async (context, [name = ''], options) =>
      (await import('../agent/save.js')).editAgent(context, aboutOf(context, name, options)),
  },
  {
    name: 'delete',
    summary: 'Delete a blueprint.',
    args: '<blueprint>',
    options: [USER],
    run: async (context, [name = ''], options) =>
      (await import('../agent/inspect.js')).deleteAgent(context, aboutOf(context, name, options)),
  },
  {
    name: 'validate',
    summary: 'Check the file of a blueprint.',
    args: '<file>',
    options: [USER],
    run: async (context, [name = ''], options) =>
      (await import('../agent/inspect.js')).validateAgent(context, aboutOf(context, name, options)),
  },
];

export const agent: CommandSpec = {
  name: 'agent',
  group: 'Agents',
  summary: 'Blueprints, which are named definitions of agents: list, show, create, edit, delete or validate them.',
  examples: [
    'orchd agent list',
    'orchd agent create reviewer --adapter claude --output-schema review.schema.json',
    'orchd agent create reviewer --file --from reviewer.json',
    'orchd agent create counter --adapter shell --arg ./count.sh --timeout 5m',
    'orchd agent edit reviewer --model opus        # without options: in $VISUAL or $EDITOR',
    "orchd agent edit reviewer --output-schema ''  # takes it away",
    'orchd agent validate .orchd/agents/reviewer/agent.json',
  ],
  actions: ACTIONS.map((action) => ({ quiet: 'print names only', ...action })),
};

/** The project to search: the enclosing one, or none with `--user`. */
export function projectInput({ cwd }: Pick<Context, 'cwd'>, options: Options): { project?: string } {
  const folder = flag(options, 'user') ? null : findProject(cwd);
  return folder === null ? {} : { project: dirname(folder) };
}

import { dirname } from 'node:path';
import { OrchdError } from '../../protocol/index.js';
import { type CommandSpec, flag, type Options } from '../program/command.js';
import { type Context, findProject } from '../program/context.js';

export const AGENT_ACTIONS = ['list', 'show', 'create', 'edit', 'delete', 'validate'] as const;

export const agent: CommandSpec = {
  name: 'agent',
  group: 'Agents',
  summary: 'Blueprints, which are named definitions of agents: list, show, create, edit, delete or validate them.',
  args: '<action> [name]',
  options: [
    ['--user', 'your own blueprints, not those of the project'],
    ['--all-projects', 'list: also blueprints of other projects'],
    ['--file', 'create: save as files of the project (.orchd/agents/NAME), not in the daemon'],
    ['--from <file>', 'create, edit: the definition as JSON; - for standard input'],
    ['--description <text>', 'create, edit: description'],
    ['--adapter <name>', 'create, edit: the agent program'],
    ['--model <name>', 'create, edit: the model, by the program’s name for it'],
    ['--prompt <text>', 'create, edit: prompt for runs without a prompt'],
    ['--instructions <file>', 'create, edit: file with the system prompt; - for standard input'],
    ['--input-schema <file>', 'create, edit: JSON Schema of the input'],
    ['--output-schema <file>', 'create, edit: JSON Schema of the result'],
    ['--output-format <format>', 'create, edit: json or envelope'],
  ],
  quiet: 'print names only',
  examples: [
    'orchd agent list',
    'orchd agent create reviewer --adapter claude --output-schema review.schema.json',
    'orchd agent create reviewer --file --from reviewer.json',
    'orchd agent edit reviewer --model opus        # without options: in $VISUAL or $EDITOR',
    "orchd agent edit reviewer --output-schema ''  # takes it away",
    'orchd agent validate .orchd/agents/reviewer/agent.json',
  ],
  async run(context, [action = '', name], options) {
    if (!isAction(action)) {
      throw new OrchdError('ORCHD_USAGE', `'${action}' is none of ${AGENT_ACTIONS.join(', ')}`);
    }
    if (action === 'list' && name !== undefined) {
      throw new OrchdError('ORCHD_USAGE', `\`orchd agent list\` takes no name; see \`orchd agent show ${name}\``);
    }
    if (action !== 'list' && name === undefined) {
      throw new OrchdError(
        'ORCHD_USAGE',
        `say which: orchd agent ${action} ${action === 'validate' ? 'FILE' : 'NAME'}`,
      );
    }
    return (await acts())[action](context, { name: name ?? '', place: placeOf(context, options), options });
  },
};

type Action = (typeof AGENT_ACTIONS)[number];
const isAction = (word: string): word is Action => AGENT_ACTIONS.some((action) => action === word);

/** Loaded on demand, because most commands do not need it. */
async function acts() {
  const { deleteAgent, listAgents, showAgent, validateAgent } = await import('../agent/inspect.js');
  const { createAgent, editAgent } = await import('../agent/save.js');
  return {
    ...{ list: listAgents, show: showAgent, delete: deleteAgent, validate: validateAgent },
    ...{ create: createAgent, edit: editAgent },
  } as const satisfies Record<Action, unknown>;
}

/** The project to search: the enclosing one, or none with `--user`. */
export function placeOf({ cwd }: Pick<Context, 'cwd'>, options: Options): { project?: string } {
  const folder = flag(options, 'user') ? null : findProject(cwd);
  return folder === null ? {} : { project: dirname(folder) };
}

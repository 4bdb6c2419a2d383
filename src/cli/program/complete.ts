/**
 * Shell completion: returns candidates for the word under the cursor. These are commands, options and their values, and
 * the sessions, items, blueprints or runs that a command takes.
 */
import { EVENT_TYPES, STATE_BADGES } from '../../protocol/index.js';
import { projectInput } from '../commands/agent.js';
import { adapterNames } from './adapter-names.js';
import type { ActionSpec, CommandSpec } from './command.js';
import type { Context } from './context.js';

/** @param words  The words after `orchd`; the last one is being completed. */
export async function complete(
  context: Context,
  commands: readonly CommandSpec[],
  words: readonly string[],
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const candidates = await candidatesFor(context, commands, words.slice(0, -1), current);
  return candidates.filter((candidate) => candidate.startsWith(current));
}

async function candidatesFor(
  context: Context,
  commands: readonly CommandSpec[],
  before: readonly string[],
  current: string,
): Promise<readonly string[]> {
  const name = before.find((word) => !word.startsWith('-'));
  const names = commands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  if (name === undefined) return [...names, 'help'];
  if (name === 'help') return names;
  const command = commands.find((entry) => entry.name === name || entry.aliases?.includes(name));
  if (!command) return [];
  const words = before.filter((word) => !word.startsWith('-')).slice(1);
  const action = command.actions?.find((one) => one.name === words[0]);
  const spec = action ?? command;
  if (current.startsWith('-')) {
    const flags = (spec.options ?? []).flatMap(([text]) => text.match(/--?[a-z][\w-]*/g) ?? []);
    return [...flags, '--json', '--quiet', '--help'];
  }
  const values = VALUES[before.at(-1) ?? ''];
  if (values) return values(context, spec);
  if (command.actions && words.length === 0) return command.actions.map((one) => one.name);
  if (action && words.length > 1 && !action.args?.includes('...')) return [];
  const [, taken = ''] = /^[<[]([a-z-]+)/.exec(spec.args ?? '') ?? [];
  const found = taken.split('-').map((word) => ARGUMENTS[word]?.(context, command.name) ?? []);
  const there = taken.startsWith('session') && takesMachine(spec) ? otherSessions(context) : [];
  return (await Promise.all([...found, there])).flat();
}

const takesMachine = ({ options = [] }: Options): boolean => options.some(([flags]) => flags.startsWith('--machine'));

/** Returns the living sessions of the other machines of the hub, as `machine/name`. */
async function otherSessions(context: Context): Promise<readonly string[]> {
  const client = context.client();
  const { name: own, joined } = await client.call('hub.status', {});
  if (!joined) return [];
  const sessions = await client.call('hub.sessions', {});
  return sessions
    .filter(({ machine, session }) => machine !== own && session.ended_at === null)
    .map(({ machine, session }) => `${machine}/${session.name}`);
}

type Options = Pick<ActionSpec, 'options'>;

/** Candidates for the values of options. */
const VALUES: Readonly<Record<string, (context: Context, spec: Options) => Promise<readonly string[]>>> = {
  '--adapter': adapterNames,
  '--type': async () => EVENT_TYPES,
  '--state': async (_, spec) => valuesOf(spec, '--state'),
  '--session': (context) => sessionWords(context, ''),
  '--tag': async (context) => [
    ...new Set((await context.client().call('session.list', {})).flatMap(({ tags = [] }) => tags)),
  ],
  '--machine': async (context, spec) => {
    const { machines } = await context.client().call('hub.status', {});
    return machines.length === 0 ? [] : [...machines.map(({ name }) => name), ...valuesOf(spec, '--machine')];
  },
  '--until': async () => Object.keys(STATE_BADGES),
  '--blueprint': (context) => blueprintNames(context),
  '-b': (context) => blueprintNames(context),
};

/** Returns the fixed values of an option. */
function valuesOf({ options = [] }: Options, flag: string): readonly string[] {
  const [, , values = []] = options.find(([flags]) => flags.startsWith(flag)) ?? [];
  return values;
}

/** Commands that accept only ended sessions. Sessions that a command refuses are not offered. */
const OF_ENDED: ReadonlySet<string> = new Set(['rm', 'revive']);
const OF_ALL: ReadonlySet<string> = new Set(
  'capture diff explain export rename replay restart show tag wait'.split(' '),
);

async function sessionWords(context: Context, command: string): Promise<readonly string[]> {
  const all = OF_ENDED.has(command) || OF_ALL.has(command);
  const sessions = await context.client().call('session.list', { all });
  const fitting = sessions.filter(({ ended_at }) => !OF_ENDED.has(command) || ended_at !== null);
  return fitting.flatMap(({ id, name }) => [name, id]);
}

const blueprintNames = async (context: Context): Promise<readonly string[]> =>
  (await context.client().call('blueprint.list', projectInput(context, {}))).map(({ name }) => name);

/** Candidates for the first argument, by the words of its name in `args`. The shell completes files. */
const ARGUMENTS: Readonly<Record<string, (context: Context, command: string) => Promise<readonly string[]>>> = {
  session: sessionWords,
  sessions: sessionWords,
  item: async (context) => idsOf(await context.client().call('inbox.list', {})),
  blueprint: (context) => blueprintNames(context),
  run: async (context) => idsOf(await context.client().call('run.list', {})),
  task: async (context) => idsOf(await context.client().call('task.list', {})),
  workflow: async (context) => idsOf(await context.client().call('workflow.list', {})),
  shell: async () => ['bash', 'zsh', 'fish'],
};

const idsOf = (listed: readonly { readonly id: string }[]): string[] => listed.map(({ id }) => id);

/**
 * Shell completion: returns candidates for the word under the cursor. These are commands, options and their values, and
 * the sessions, items, blueprints or runs that a command takes.
 */
import { EVENT_TYPES, STATE_LOOKS } from '../../protocol/index.js';
import { AGENT_ACTIONS, placeOf } from '../commands/agent.js';
import { RUNS_ACTIONS } from '../commands/runs.js';
import { TASK_ACTIONS } from '../commands/task.js';
import { WORKFLOW_ACTIONS } from '../commands/workflow.js';
import type { CommandSpec } from './command.js';
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
  if (current.startsWith('-')) {
    const flags = (command.options ?? []).flatMap(([text]) => text.match(/--?[a-z][\w-]*/g) ?? []);
    return [...flags, '--json', '--quiet', '--help'];
  }
  const values = VALUES[before.at(-1) ?? ''];
  if (values) return values(context, command);
  const words = before.filter((word) => !word.startsWith('-')).slice(1);
  const ofActions = ACTIONS[command.name];
  if (ofActions) return ofActions(context, words);
  const takes = command.args ?? '';
  if (/^[<[][a-z-]*\bsessions?\b/.test(takes)) return sessionWords(context, command.name);
  if (takes.startsWith('<item>')) return (await context.client().call('inbox.list', {})).map(({ id }) => id);
  if (takes === '<shell>') return ['bash', 'zsh', 'fish'];
  return [];
}

type Words = (context: Context, before: readonly string[]) => Promise<readonly string[]>;

/** Commands whose first argument is an action. */
const ACTIONS: Readonly<Record<string, Words>> = {
  agent: agentWords,
  runs: runsWords,
  task: taskWords,
  workflow: workflowWords,
  service: async () => ['install', 'uninstall', 'status'],
};

/** Candidates for the values of options. */
const VALUES: Readonly<Record<string, (context: Context, command: CommandSpec) => Promise<readonly string[]>>> = {
  '--adapter': async () => {
    const { ADAPTERS, GENERIC } = await import('../../session/index.js');
    return [GENERIC, ...ADAPTERS].map(({ name }) => name);
  },
  '--type': async () => EVENT_TYPES,
  '--state': async (_, command) => statesOf(command),
  '--session': (context) => sessionWords(context, ''),
  '--until': async () => Object.keys(STATE_LOOKS),
  '--blueprint': (context) => blueprintNames(context),
  '-b': (context) => blueprintNames(context),
};

/** Reads the states from the help of `--state`: `list: only those that are queued, running or cancelled`. */
function statesOf({ options = [] }: CommandSpec): readonly string[] {
  const [, help = ''] = options.find(([flags]) => flags.startsWith('--state')) ?? [];
  return (
    help
      .replace(/^.* that are /, '')
      .match(/\w+/g)
      ?.filter((word) => word !== 'or') ?? []
  );
}

/** Commands that accept only ended sessions. Sessions that a command refuses are not offered. */
const OF_ENDED: ReadonlySet<string> = new Set(['rm', 'revive']);
const OF_ALL: ReadonlySet<string> = new Set('capture explain export rename replay restart show wait'.split(' '));

async function sessionWords(context: Context, command: string): Promise<readonly string[]> {
  const all = OF_ENDED.has(command) || OF_ALL.has(command);
  const sessions = await context.client().call('session.list', { all });
  const fitting = sessions.filter(({ ended_at }) => !OF_ENDED.has(command) || ended_at !== null);
  return fitting.flatMap(({ id, name }) => [name, id]);
}

const blueprintNames = async (context: Context): Promise<readonly string[]> =>
  (await context.client().call('blueprint.list', placeOf(context, {}))).map(({ name }) => name);

/** `orchd agent ACTION NAME` */
async function agentWords(context: Context, before: readonly string[]): Promise<readonly string[]> {
  const [action] = before;
  if (action === undefined) return AGENT_ACTIONS;
  if (before.length > 1 || action === 'list' || action === 'create') return [];
  return blueprintNames(context);
}

/** `orchd runs ACTION RUN` */
async function runsWords(context: Context, before: readonly string[]): Promise<readonly string[]> {
  const [action] = before;
  if (action === undefined) return RUNS_ACTIONS;
  if (before.length > 1 || action === 'list' || action === 'start') return [];
  return (await context.client().call('run.list', {})).map(({ id }) => id);
}

/** `orchd task ACTION TASK` */
async function taskWords(context: Context, before: readonly string[]): Promise<readonly string[]> {
  const [action] = before;
  if (action === undefined) return TASK_ACTIONS;
  if (before.length > 1 || action === 'list' || action === 'create') return [];
  return (await context.client().call('task.list', {})).map(({ id }) => id);
}

/** `orchd workflow ACTION FILE-OR-RUN`; the shell completes files. */
async function workflowWords(context: Context, before: readonly string[]): Promise<readonly string[]> {
  const [action = ''] = before;
  if (before.length === 0) return WORKFLOW_ACTIONS;
  if (before.length > 1 || !['show', 'wait', 'resume', 'cancel'].includes(action)) return [];
  return (await context.client().call('workflow.list', {})).map(({ id }) => id);
}

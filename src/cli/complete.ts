/** Candidates for the word under the cursor: commands, options, and the sessions, items, blueprints or runs that a command takes. */
import type { CommandSpec } from './command.js';
import { AGENT_ACTIONS, placeOf } from './commands/agent.js';
import { RUNS_ACTIONS } from './commands/runs.js';
import { TASK_ACTIONS } from './commands/task.js';
import { WORKFLOW_ACTIONS } from './commands/workflow.js';
import type { Context } from './context.js';

/** @param words  Those after `orchd`, the last one being completed. */
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
  if (name === undefined) return commands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  const command = commands.find((entry) => entry.name === name || entry.aliases?.includes(name));
  if (!command) return [];
  if (current.startsWith('-')) {
    const flags = (command.options ?? []).flatMap(([text]) => text.match(/--?[a-z][\w-]*/g) ?? []);
    return [...flags, '--json', '--quiet', '--help'];
  }
  const words = before.filter((word) => !word.startsWith('-')).slice(1);
  if (command.name === 'agent') return agentWords(context, words);
  if (command.name === 'runs') return runsWords(context, words);
  if (command.name === 'task') return taskWords(context, words);
  if (command.name === 'workflow') return workflowWords(context, words);
  const takes = command.args ?? '';
  if (before.at(-1) === '--session' || /^[<[]sessions?(\.\.\.)?[>\]]/.test(takes)) {
    const sessions = await context.client().call('session.list', { all: false });
    return sessions.flatMap(({ id, name: called }) => [called, id]);
  }
  if (takes.startsWith('<item>')) return (await context.client().call('inbox.list', {})).map(({ id }) => id);
  if (takes === '<shell>') return ['bash', 'zsh', 'fish'];
  return [];
}

/** `orchd agent ACTION NAME` */
async function agentWords(context: Context, before: readonly string[]): Promise<readonly string[]> {
  const [action] = before;
  if (action === undefined) return AGENT_ACTIONS;
  if (before.length > 1 || action === 'list' || action === 'create') return [];
  return (await context.client().call('blueprint.list', placeOf(context, {}))).map(({ name }) => name);
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

/** `orchd workflow ACTION FILE-OR-RUN`; files are the shell's to complete. */
async function workflowWords(context: Context, before: readonly string[]): Promise<readonly string[]> {
  const [action = ''] = before;
  if (before.length === 0) return WORKFLOW_ACTIONS;
  if (before.length > 1 || !['show', 'wait', 'resume', 'cancel'].includes(action)) return [];
  return (await context.client().call('workflow.list', {})).map(({ id }) => id);
}

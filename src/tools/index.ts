/** The tools that agents call, in the order of lists. Pure. */
import { OrchdError } from '../protocol/index.js';
import { MESSAGE_TOOLS } from './messages.js';
import { spawnAgent } from './spawn.js';
import { completionReport, plannerOutput } from './task-tools.js';
import type { Tool } from './tool.js';

export * from './check.js';
export { fieldKind } from './field-kind.js';
export type * from './tool.js';

export const TOOLS: readonly Tool[] = [...MESSAGE_TOOLS, spawnAgent, plannerOutput, completionReport];

/** This tool may be missing from a task's tools: the agent ends a task with a report instead. */
const TASK_COMPLETE = 'task_complete';
const OF_TASKS: readonly Tool[] = [plannerOutput, completionReport];

/**
 * Returns the tools that a session is offered.
 * @param names Null for all except those of tasks, which only the agents of tasks may call.
 */
export const offeredTools = (names: readonly string[] | null): readonly Tool[] =>
  TOOLS.filter((tool) => (names === null ? !OF_TASKS.includes(tool) : names.includes(tool.name)));

/**
 * Returns the tools of a task's agent: those that its blueprint names, and the tool of its required call, but not the
 * other tool of tasks.
 */
export const taskTools = (named: readonly string[] | undefined, owed: string): readonly string[] => [
  ...offeredTools(null)
    .map(({ name }) => name)
    .filter((name) => named?.includes(name) ?? name !== TASK_COMPLETE),
  owed,
];

/**
 * Returns the tool of this name that a session may call. `task_complete` is always found: the daemon replies to a
 * task's agent with a reminder of the tool that it must call.
 */
export const callableTool = (tools: readonly Tool[], name: string): Tool | undefined =>
  tools.find((tool) => tool.name === name) ??
  (tools.length > 0 && name === TASK_COMPLETE ? TOOLS.find((tool) => tool.name === name) : undefined);

/** @param wait  The caller's choice; undefined if it made none. */
export const willWait = ({ waits }: Tool, wait: boolean | undefined): boolean => waits !== null && (wait ?? waits);

/** @throws {OrchdError} ORCHD_TOOL_UNKNOWN */
export function toolNamed(name: string): Tool {
  const found = TOOLS.find((tool) => tool.name === name);
  if (found) return found;
  const known = TOOLS.map((tool) => tool.name);
  throw new OrchdError('ORCHD_TOOL_UNKNOWN', `there is no tool '${name}'; there are ${known.join(', ')}`, {
    tools: known,
  });
}

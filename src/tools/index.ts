/** The tools that agents call, in the order in which they are listed. Pure. */
import { OrchdError } from '../protocol/index.js';
import { ask, reportBlocked, reportError, reportStatus, requestReview, taskComplete } from './messages.js';
import { spawnAgent } from './spawn.js';
import type { Tool } from './tool.js';

export * from './check.js';
export { rpcError } from './json-rpc.js';
export * from './mcp.js';
export type * from './tool.js';

export const TOOLS: readonly Tool[] = [
  ask,
  reportStatus,
  reportBlocked,
  reportError,
  requestReview,
  taskComplete,
  spawnAgent,
];

/** Those that a session is offered. @param names  Null: all of them. */
export const offeredTools = (names: readonly string[] | null): readonly Tool[] =>
  names === null ? TOOLS : TOOLS.filter(({ name }) => names.includes(name));

/** @param wait  What the caller says; undefined: nothing. */
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

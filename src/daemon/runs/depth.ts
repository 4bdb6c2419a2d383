/** Limits how deep agents may start agents, by a tool or as workflows. */
import { OrchdError } from '../../protocol/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';

export interface DepthPorts {
  readonly registry: Registry;
  readonly maxDepth: number;
}

/** @throws {OrchdError} ORCHD_SPAWN_LIMIT */
export function mayStartOthers({ registry, maxDepth }: DepthPorts, entry: SessionEntry): void {
  const depth = depthOf(registry, entry) + 1;
  if (depth <= maxDepth) return;
  const message = `agents may start agents ${maxDepth} deep, and this would be ${depth}`;
  throw new OrchdError('ORCHD_SPAWN_LIMIT', message, { depth });
}

function depthOf(registry: Pick<Registry, 'get'>, entry: SessionEntry): number {
  const parent = entry.view.parent_session_id;
  const above = parent === null ? undefined : registry.get(parent);
  return above === undefined ? 0 : depthOf(registry, above) + 1;
}

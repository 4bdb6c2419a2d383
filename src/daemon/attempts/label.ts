/** The name for a run's session: its step of a workflow, or its blueprint. Pure. */
import type { Run } from '../../protocol/index.js';

/** Returns null to use the program's name. */
export function labelOf({ step_id, step_agent, blueprint }: Run): string | null {
  if (step_id === undefined) return blueprint;
  return step_agent === undefined ? step_id : `${step_id}.${step_agent}`;
}

/** What a run's session is called after: its step of a workflow, or its blueprint. Pure. */
import type { Run } from '../../protocol/index.js';

/** Null: after its program. */
export function labelOf({ step_id, step_agent, blueprint }: Run): string | null {
  if (step_id === undefined) return blueprint;
  return step_agent === undefined ? step_id : `${step_id}.${step_agent}`;
}

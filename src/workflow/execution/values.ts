/** The variables of a workflow run, and where they are from. Pure. */
import type { WorkflowVariable } from '../../protocol/index.js';
import type { Values } from '../interpolate.js';
import type { Progress, StepProgress } from './progress.js';

/** As a step finds them that begins now; null for what nobody has set. */
export function valuesOf({ head, plan, steps }: Progress): Values {
  const unset = plan.steps.flatMap(({ writes }) => writes.map((name) => [name, null] as const));
  const set = steps.flatMap(({ values }) => Object.entries(values ?? {}));
  return new Map<string, unknown>([...unset, ...Object.entries(head.inputs), ...set]);
}

/** All that are set, each as it was set last. */
export function variablesOf({ head, steps }: Progress): WorkflowVariable[] {
  const found = new Map<string, WorkflowVariable>();
  const put = (name: string, value: unknown, from: Omit<WorkflowVariable, 'name' | 'value'>): void => {
    found.delete(name); // it stands where it was made
    found.set(name, { name, value: value as WorkflowVariable['value'], ...from }); // it came as JSON
  };
  for (const [name, value] of Object.entries(head.inputs)) put(name, value, { step: null, run_ids: [], item_id: null });
  for (const step of steps)
    for (const [name, value] of Object.entries(step.values ?? {})) put(name, value, originOf(step));
  return [...found.values()];
}

/** A goal's own runs; what its agents returned has gone into them. */
const originOf = ({ id, parts, itemId }: StepProgress): Omit<WorkflowVariable, 'name' | 'value'> => ({
  step: id,
  run_ids: parts.flatMap(({ agent, state, runId }) => (agent === null && state === 'completed' ? [runId] : [])),
  item_id: itemId,
});

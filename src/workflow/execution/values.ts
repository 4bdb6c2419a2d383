/** The variables of a workflow run, and where they are from. Pure. */
import type { WorkflowVariable } from '../../protocol/index.js';
import type { Values } from '../interpolate.js';
import type { Step } from '../plan.js';
import type { Progress, StepProgress } from './progress.js';

/** What a step reads, as it finds it when it begins, and until it ends; null for what nobody has set. */
export const valuesFor = ({ reads }: Pick<Step, 'reads'>, at: number, progress: Progress): Values =>
  new Map(reads.map((name) => [name, lastOf(name, at, progress)]));

/** As a step before it has set it last: one behind it that makes it anew waits for it. */
function lastOf(name: string, at: number, { head, steps }: Progress): unknown {
  for (let index = at - 1; index >= 0; index--) {
    const values = steps[index]?.values;
    if (values && Object.hasOwn(values, name)) return values[name];
  }
  return Object.hasOwn(head.inputs, name) ? head.inputs[name] : null;
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

/** The variables of a workflow run and their origins. Pure. */
import type { WorkflowVariable } from '../../protocol/index.js';
import type { Values } from '../interpolate.js';
import type { Step } from '../plan.js';
import type { Progress, StepProgress } from './progress.js';

/** Returns the variables that a step reads. They do not change while the step runs. An unset variable is null. */
export const valuesFor = ({ reads }: Pick<Step, 'reads'>, at: number, progress: Progress): Values =>
  new Map(reads.map((name) => [name, lastOf(name, at, progress)]));

/**
 * Returns the value from the last step before this one that sets it. A later step that sets it again waits for this
 * one.
 */
function lastOf(name: string, at: number, { head, steps }: Progress): unknown {
  for (let index = at - 1; index >= 0; index--) {
    const values = steps[index]?.values;
    if (values && Object.hasOwn(values, name)) return values[name];
  }
  return Object.hasOwn(head.inputs, name) ? head.inputs[name] : null;
}

/** Returns all variables that are set, each with its last value. */
export function variablesOf({ head, steps }: Progress): WorkflowVariable[] {
  const found = new Map<string, WorkflowVariable>();
  const put = (name: string, value: unknown, from: Omit<WorkflowVariable, 'name' | 'value'>): void => {
    found.delete(name); // moves it to the end, where its last value was set
    found.set(name, { name, value: value as WorkflowVariable['value'], ...from }); // the value came as JSON
  };
  for (const [name, value] of Object.entries(head.inputs)) put(name, value, { step: null, run_ids: [], item_id: null });
  for (const step of steps)
    for (const [name, value] of Object.entries(step.values ?? {})) put(name, value, originOf(step));
  return [...found.values()];
}

/** Lists only the goal's own runs, because the results of its agents are included in theirs. */
const originOf = ({ id, parts, itemId }: StepProgress): Omit<WorkflowVariable, 'name' | 'value'> => ({
  step: id,
  run_ids: parts.flatMap(({ agent, state, runId }) => (agent === null && state === 'completed' ? [runId] : [])),
  item_id: itemId,
});

/** A workflow run in the store: a row for what is the same for all of it, and one for each step, so that a decision writes what it changes. */
import type { Batch, Row } from '../../store/index.js';
import { type Head, type Progress, planOf, type StepProgress } from '../../workflow/index.js';

export const stepRowId = (id: string, index: number): string => `${id}/${index}`;

/** What differs from what was decided before. */
export function rowsOf(
  before: Progress | undefined,
  { head, steps }: Progress,
): Pick<Batch, 'workflows' | 'workflowSteps'> {
  const changed = steps.flatMap((value, index) =>
    value === before?.steps[index] ? [] : [{ id: stepRowId(head.id, index), value }],
  );
  return { workflows: head === before?.head ? [] : [{ id: head.id, value: head }], workflowSteps: changed };
}

export function takeUp(heads: readonly Row[], steps: readonly Row[]): Progress[] {
  const kept = new Map(steps.map(({ id, value }) => [id, value as StepProgress])); // our own rows
  return heads.map(({ id, value }) => {
    const head = value as Head; // our own row
    const plan = planOf(head.workflow);
    return {
      ...{ head, plan },
      steps: plan.steps.map((step, index) => {
        const found = kept.get(stepRowId(id, index));
        if (!found) throw new Error(`the step ${step.id} of ${id} is not in the store`);
        return found;
      }),
    };
  });
}

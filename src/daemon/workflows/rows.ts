/**
 * A workflow run in the store: one row for the whole run, one for each step, and one for each run of a step with its
 * result. A decision therefore writes only changed rows, and no result twice.
 */
import { isWorkflowOver } from '../../protocol/index.js';
import type { Batch, Row } from '../../store/index.js';
import { type Head, type Part, type Progress, planOf, type StepProgress, unbegun } from '../../workflow/index.js';

/** `parts`: the number of rows with runs of the step. */
type StepRow = Omit<StepProgress, 'parts'> & { readonly parts: number };

const stepRowId = (id: string, index: number): string => `${id}/${index}`;
const partRowId = (id: string, index: number, part: number): string => `${stepRowId(id, index)}/${part}`;

/** Returns the rows that differ from the previous decision. */
export function rowsOf(
  before: Progress | undefined,
  { head, steps }: Progress,
): Pick<Batch, 'workflows' | 'workflowSteps'> {
  const workflowSteps = steps.flatMap((step, index): Row[] => {
    const known = before?.steps[index];
    if (step === known) return [];
    const value: StepRow = { ...step, parts: step.parts.length };
    const parts = step.parts.flatMap((part, at) =>
      part === known?.parts[at] ? [] : [{ id: partRowId(head.id, index, at), value: part }],
    );
    return [{ id: stepRowId(head.id, index), value }, ...parts];
  });
  return { workflows: head === before?.head ? [] : [{ id: head.id, value: head }], workflowSteps };
}

/** Returns the ids of all rows that may exist. */
export const rowIdsOf = ({ head, steps }: Progress): string[] =>
  steps.flatMap(({ parts }, index) => [
    stepRowId(head.id, index),
    ...parts.map((_, at) => partRowId(head.id, index, at)),
  ]);

/**
 * Restores workflow runs from rows. If a row is missing, the run has failed: it was started by a version that planned
 * other steps.
 */
export function restoreProgress(heads: readonly Row[], rows: readonly Row[]): Progress[] {
  const kept = new Map(rows.map(({ id, value }) => [id, value]));
  return heads.map(({ id, value }) => {
    const head = value as Head; // only orchd writes rows
    const plan = planOf(head.workflow);
    const steps = plan.steps.map((step, index) => stepOf(id, index, kept) ?? unbegun(step.id));
    const isWhole = plan.steps.every((step, index) => stepOf(id, index, kept)?.id === step.id);
    return { head: isWhole || isWorkflowOver(head) ? head : { ...head, ...OF_ANOTHER_VERSION }, plan, steps };
  });
}

const OF_ANOTHER_VERSION = {
  state: 'failed',
  error: { error: 'WorkflowLost', message: 'what is kept of it was written by another version of orchd: run it again' },
} as const satisfies Partial<Head>;

function stepOf(id: string, index: number, kept: ReadonlyMap<string, unknown>): StepProgress | null {
  const row = kept.get(stepRowId(id, index)) as StepRow | undefined; // only orchd writes rows
  if (!row) return null;
  const parts = Array.from({ length: row.parts }, (_, at) => kept.get(partRowId(id, index, at)) as Part | undefined);
  return { ...row, parts: parts.filter((part) => part !== undefined) };
}

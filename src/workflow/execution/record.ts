/** Converts the state of a workflow run to its public form. Pure. */
import type { WorkflowRun, WorkflowRunSummary, WorkflowStep, WorkflowStepRun } from '../../protocol/index.js';
import type { Step } from '../plan.js';
import { isStepDone, type Progress, type StepProgress } from './progress.js';
import { variablesOf } from './values.js';

/** The place of a run: the session of its last attempt, and its machine, if that is another one. */
export type RunLocation = Pick<WorkflowStepRun, 'session_id' | 'machine'>;

/**
 * Returns the public form of a workflow run.
 *
 * @param whereabouts  Returns the session and the machine of a run. Default: no session.
 */
export function recordOf(
  progress: Progress,
  whereabouts: (runId: string) => RunLocation = () => ({ session_id: null }),
): WorkflowRun {
  const { head, plan, steps } = progress;
  const { id, name, state, jobs, adapter, model, project, cwd, error } = head;
  return {
    id,
    name,
    state,
    variables: variablesOf(progress),
    steps: plan.steps.flatMap((step, index) => {
      const kept = steps[index];
      return kept ? [stepOf(step, kept, plan.steps, whereabouts)] : [];
    }),
    jobs,
    adapter,
    model,
    project,
    cwd,
    parent_session_id: head.parentSessionId,
    error,
    created_at: head.createdAt,
    ended_at: head.endedAt,
  };
}

/** Returns the summary of a workflow run for lists. */
export function summaryOf({ head, steps }: Progress): WorkflowRunSummary {
  const { id, name, state, error, createdAt: created_at, endedAt: ended_at } = head;
  const current = steps.filter((step) => step.state === 'running' || step.state === 'asking').map((step) => step.id);
  return {
    id,
    name,
    state,
    steps: steps.length,
    done: steps.filter(isStepDone).length,
    current,
    error,
    created_at,
    ended_at,
  };
}

function stepOf(
  { id, goal, run, needs, stage }: Step,
  kept: StepProgress,
  steps: readonly Step[],
  whereabouts: (runId: string) => RunLocation,
): WorkflowStep {
  const { state, itemId: item_id, values, result, error } = kept;
  return {
    id,
    goal: goal.name,
    kind: goal.kind,
    agents: goal.kind === 'goal' ? [...goal.agents] : [],
    run,
    needs: needs.flatMap((need) => steps[need]?.id ?? []),
    stage: stage + 1,
    state,
    runs: kept.parts.map(({ runId, agent, entry, state: at, error: why }) => ({
      run_id: runId,
      agent,
      entry,
      ...whereabouts(runId),
      state: at,
      error: why,
    })),
    item_id,
    question: goal.kind === 'ask' ? (kept.question ?? goal.question) : null,
    values: values === null ? null : { ...values },
    result: typeof result === 'string' || result === null ? result : [...result],
    error,
    started_at: kept.startedAt,
    ended_at: kept.endedAt,
  };
}

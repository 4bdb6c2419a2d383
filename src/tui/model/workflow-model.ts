/**
 * The workflows in the model: the list, and the open workflow. Pure.
 *
 * Events update names and states immediately. The progress of each step comes with the next reply (watch-workflows.ts).
 */
import {
  type Event,
  type Item,
  isWorkflowOver,
  type WorkflowRun,
  type WorkflowRunSummary,
  type WorkflowStep,
} from '../../protocol/index.js';
import type { ItemEntry } from './items/item-entry.js';

export interface KnownWorkflows {
  /** Running workflows come before ended ones, newest first. */
  readonly workflows: readonly WorkflowRunSummary[];
  /** The workflow that was opened last, in brief. */
  readonly workflow: WorkflowRun | null;
}

type Of<T extends Event['event_type']> = Extract<Event, { event_type: T }>;

export function workflowCreated<M extends KnownWorkflows>(model: M, event: Of<'workflow_created'>): M {
  const { workflow_id: id, name, steps, timestamp } = event;
  if (model.workflows.some((one) => one.id === id)) return model;
  const fresh: WorkflowRunSummary = {
    id,
    name,
    state: 'running',
    steps,
    done: 0,
    current: [],
    error: null,
    created_at: timestamp,
    ended_at: null,
  };
  return { ...model, workflows: workflowsInOrder([...model.workflows, fresh]) };
}

export function workflowChanged<M extends KnownWorkflows>(model: M, event: Of<'workflow_state_changed'>): M {
  const { workflow_id: id, state, error, timestamp } = event;
  const change = { state, error, ended_at: isWorkflowOver({ state }) ? timestamp : null };
  const { workflow } = model;
  return {
    ...model,
    workflows: workflowsInOrder(model.workflows.map((one) => (one.id === id ? { ...one, ...change } : one))),
    workflow: workflow?.id === id ? { ...workflow, ...change } : workflow,
  };
}

/** Records the session of the attempt, so that it can be opened. */
export function attemptStarted<M extends KnownWorkflows>(model: M, event: Of<'run_attempt_started'>): M {
  const { run_id, session_id } = event;
  const { workflow } = model;
  const index = workflow?.steps.findIndex(({ runs }) => runs.some((run) => run.run_id === run_id)) ?? -1;
  const step = workflow?.steps[index];
  if (!workflow || !step) return model;
  const runs = step.runs.map((run) => (run.run_id === run_id ? { ...run, session_id } : run));
  return { ...model, workflow: { ...workflow, steps: workflow.steps.with(index, { ...step, runs }) } };
}

export function workflowsInOrder(workflows: readonly WorkflowRunSummary[]): WorkflowRunSummary[] {
  return workflows.toSorted(
    (a, b) => Number(isWorkflowOver(a)) - Number(isWorkflowOver(b)) || b.created_at.localeCompare(a.created_at),
  );
}

const orders = new WeakMap<WorkflowRun, readonly WorkflowStep[]>();

/**
 * Returns the steps in the shown order: grouped by stage if several jobs may run at once, otherwise in file order.
 * Cached by the run.
 */
export function stepsOf(run: WorkflowRun): readonly WorkflowStep[] {
  const known = orders.get(run);
  if (known) return known;
  const steps = run.jobs > 1 ? run.steps.toSorted((a, b) => a.stage - b.stage) : run.steps;
  orders.set(run, steps);
  return steps;
}

/** Returns the oldest open item of the step or of one of its agents. */
export function itemOfStep({ state, item_id, runs }: WorkflowStep, items: readonly ItemEntry[]): Item | null {
  if (state !== 'asking' && state !== 'running') return null;
  const isOfStep = ({ id, session_id }: Item): boolean =>
    id === item_id || runs.some((run) => run.state === 'running' && run.session_id === session_id);
  return items.find(({ item }) => item.state === 'open' && isOfStep(item))?.item ?? null;
}

/**
 * Returns the step that needs attention first: one with a question, else a running one, else a failed one, else the
 * next one.
 */
export function currentStep(run: WorkflowRun, items: readonly ItemEntry[]): WorkflowStep | null {
  const steps = stepsOf(run);
  const asking = steps.find((step) => step.state === 'asking' || itemOfStep(step, items) !== null);
  if (asking) return asking;
  for (const wanted of ['running', 'failed', 'cancelled', 'waiting'] as const) {
    const found = steps.find(({ state }) => state === wanted);
    if (found) return found;
  }
  return steps.at(-1) ?? null;
}

/** Returns the session of the step's running run; if none is running, of its last run. */
export function sessionOfStep({ runs }: WorkflowStep): string | null {
  const started = runs.filter(({ session_id }) => session_id !== null);
  return (started.find(({ state }) => state === 'running') ?? started.at(-1))?.session_id ?? null;
}

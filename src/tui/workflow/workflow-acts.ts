/**
 * The actions in the workflow views: from the list to a workflow, and from its steps to a question, a terminal or the
 * step's details. Pure; actions.ts assigns the keys.
 */
import type { WorkflowRun, WorkflowStep } from '../../protocol/index.js';
import { lineOf } from '../input/line-editor.js';
import { attach, focusOn, openItem, selectItem } from '../model/acts/list-acts.js';
import { isAlive, type Model } from '../model/model.js';
import {
  browse,
  go,
  notify,
  type Place,
  type Steered,
  type Surroundings,
  stay,
  type ViewName,
} from '../model/place.js';
import { shownWorkflows } from '../model/shown.js';
import { plainLine } from '../paint/text.js';
import { currentStep, isOver, itemOfStep, sessionOfStep, stepsOf } from './workflow-model.js';

type Known = Pick<Model, 'workflows' | 'workflow' | 'items'>;

/** Returns the index of the selected workflow among those shown; 0 if it is not among them. */
export function workflowIndex(place: Pick<Place, 'workflowId' | 'filters'>, model: Known): number {
  return Math.max(
    0,
    shownWorkflows(model, place).findIndex(({ id }) => id === place.workflowId),
  );
}

/** Returns the open workflow; null until the daemon has sent it. */
export const workflowOf = ({ workflowId }: Pick<Place, 'workflowId'>, { workflow }: Known): WorkflowRun | null =>
  workflow !== null && workflow.id === workflowId ? workflow : null;

export function stepOf(place: Pick<Place, 'workflowId' | 'stepId'>, model: Known): WorkflowStep | null {
  const run = workflowOf(place, model);
  if (!run) return null;
  return run.steps.find(({ id }) => id === place.stepId) ?? currentStep(run, model.items);
}

/** Returns the index of the selected step in the shown order. */
export function stepIndex(place: Pick<Place, 'workflowId' | 'stepId'>, model: Known): number {
  const run = workflowOf(place, model);
  const selected = stepOf(place, model);
  return run === null ? -1 : stepsOf(run).findIndex(({ id }) => id === selected?.id);
}

export const shownStepSession = (place: Place, model: Known): string | null => {
  const step = place.view === 'workflow' ? stepOf(place, model) : null;
  return step && sessionOfStep(step);
};

// ── from place to place ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Opens the list of workflows; from there it goes back to the lists. From an item of a workflow, it opens that
 * workflow.
 */
export function goToWorkflows(place: Place, { model }: Surroundings): Steered {
  const { mode, view } = place;
  const item = mode.kind === 'item' ? model.items.find((entry) => entry.item.id === mode.itemId)?.item : undefined;
  if (item?.workflow_id !== undefined) return openWorkflow(browse(place), item.workflow_id);
  return stay({ ...browse(place), view: view === 'workflows' ? 'lists' : 'workflows', isZoomed: false });
}

export function openSelected(place: Place, { model }: Surroundings): Steered {
  const chosen = shownWorkflows(model, place)[workflowIndex(place, model)];
  return chosen ? openWorkflow(place, chosen.id) : stay(place);
}

const openWorkflow = (place: Place, workflowId: string): Steered =>
  stay({ ...place, view: 'workflow', workflowId, stepId: null, isZoomed: false });

/** Leaves the innermost state: a filter, then the view. */
export function leaveView(place: Place): Place {
  const isFiltered = place.view === 'workflows' && place.filters.workflows !== '';
  if (isFiltered) return { ...place, filters: { ...place.filters, workflows: '' } };
  const outer: Partial<Record<ViewName, ViewName>> = { step: 'workflow', workflow: 'workflows' };
  return { ...browse(place), view: outer[place.view] ?? 'lists' };
}

/** Moves the selection by `by` lines; it stops at both ends. */
export function moveInView(place: Place, by: number, model: Model): Place {
  const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index + by));
  if (place.view === 'workflows') {
    const shown = shownWorkflows(model, place);
    const chosen = shown[clamp(workflowIndex(place, model), shown.length)];
    return { ...place, workflowId: chosen?.id ?? null };
  }
  const run = workflowOf(place, model);
  const steps = run === null ? [] : stepsOf(run);
  const next = steps[clamp(stepIndex(place, model), steps.length)];
  return { ...place, stepId: next?.id ?? null, stepScroll: 0 };
}

const SCROLL = 5;

export function scrollStep(place: Place, direction: 1 | -1, { view }: Surroundings): Steered {
  const stepScroll = Math.max(0, Math.min(view().maxScroll, place.stepScroll + direction * SCROLL));
  return stay({ ...place, stepScroll });
}

// ── steps ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Opens the question of the step or of its agent; else the running session's terminal; else the step's details. */
export function openStep(place: Place, surroundings: Surroundings): Steered {
  const { model, at } = surroundings;
  const step = stepOf(place, model);
  if (!step) return stay(place);
  const item = itemOfStep(step, model.items);
  if (item) return openItem(selectItem(place, item.id, model), item.id, at);
  const session = model.sessions.find(({ id }) => id === sessionOfStep(step));
  if (step.state === 'running' && session && isAlive(session)) return attach(place, session.id, surroundings);
  return showStep(place, surroundings);
}

/** Opens the step's details. The step stays selected even if the workflow goes on. */
export function showStep(place: Place, { model }: Surroundings): Steered {
  const step = stepOf(place, model);
  return step ? stay({ ...place, view: 'step', stepId: step.id, stepScroll: 0 }) : stay(place);
}

export function goToStepSession(place: Place, { model, at }: Surroundings): Steered {
  const step = stepOf(place, model);
  const index = model.sessions.findIndex(({ id }) => step !== null && id === sessionOfStep(step));
  const session = model.sessions[index];
  if (!session) return stay(notify(place, 'no session of this step is there', at));
  const filters = { ...place.filters, sessions: '' };
  return stay({ ...focusOn(place, 'sessions'), filters, sessionId: session.id, sessionIndex: index });
}

// ── the whole workflow ──────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the selected workflow in the list, or the open one. */
export function chosenWorkflow(place: Place, model: Known) {
  if (place.view === 'workflows') return shownWorkflows(model, place)[workflowIndex(place, model)] ?? null;
  return model.workflows.find(({ id }) => id === place.workflowId) ?? workflowOf(place, model);
}

export function startCancel(place: Place, { model, at }: Surroundings): Steered {
  const run = chosenWorkflow(place, model);
  if (!run) return stay(place);
  if (isOver(run)) return stay(notify(place, `${plainLine(run.name)} is ${run.state} already`, at));
  return go(place, { kind: 'cancelling', workflowId: run.id });
}

export function resume(place: Place, { model, at }: Surroundings): Steered {
  const run = chosenWorkflow(place, model);
  if (!run) return stay(place);
  if (!mayResume(run)) return stay(notify(place, nothingToResume(run), at));
  return { place, effect: { kind: 'resume_workflow', workflowId: run.id, from: null } };
}

/**
 * Asks if the workflow should resume from the selected step. The results of that step and of those after it are
 * discarded.
 */
export function startResume(place: Place, { model, at }: Surroundings): Steered {
  const run = chosenWorkflow(place, model);
  const step = stepOf(place, model);
  if (!run || !step) return stay(place);
  if (!mayResume(run)) return stay(notify(place, nothingToResume(run), at));
  return go(place, { kind: 'resuming', workflowId: run.id, stepId: step.id });
}

export const mayResume = ({ state }: Pick<WorkflowRun, 'state'>): boolean =>
  state === 'failed' || state === 'cancelled';

const nothingToResume = ({ name, state }: Pick<WorkflowRun, 'name' | 'state'>): string =>
  `${plainLine(name)} is ${state.replace('_', ' ')}: nothing to resume`;

// ── filter ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export const startFilter = (place: Place): Steered =>
  go(place, { kind: 'filtering', list: 'workflows', line: lineOf(place.filters.workflows) });

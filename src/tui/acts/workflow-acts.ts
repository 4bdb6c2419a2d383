/**
 * The actions in the workflow views: from the list to a workflow, and from its steps to a question, a terminal or the
 * step's details. Pure; actions.ts assigns the keys.
 */
import { isWorkflowOver, type WorkflowRun, type WorkflowStep } from '../../protocol/index.js';
import { lineOf } from '../input/line-editor.js';
import { entryOfItem, isAlive, type Model } from '../model/model.js';
import { currentStep, itemOfStep, sessionOfStep, stepsOf } from '../model/workflow-model.js';
import { plainLine } from '../paint/text.js';
import { attach, focusOn, openItem, selectItem } from './list-acts.js';
import { shownWorkflows } from './shown.js';
import {
  browse,
  go,
  type KeyContext,
  type KeyResult,
  notify,
  scrolled,
  stay,
  type UiState,
  type ViewName,
} from './ui-state.js';

type Known = Pick<Model, 'workflows' | 'workflow' | 'items'>;

/** Returns the index of the selected workflow among those shown; 0 if it is not among them. */
export function workflowIndex(ui: Pick<UiState, 'workflowId' | 'filters'>, model: Known): number {
  return Math.max(
    0,
    shownWorkflows(model, ui).findIndex(({ id }) => id === ui.workflowId),
  );
}

/** Returns the open workflow; null until the daemon has sent it. */
export const workflowOf = ({ workflowId }: Pick<UiState, 'workflowId'>, { workflow }: Known): WorkflowRun | null =>
  workflow !== null && workflow.id === workflowId ? workflow : null;

export function stepOf(ui: Pick<UiState, 'workflowId' | 'stepId'>, model: Known): WorkflowStep | null {
  const run = workflowOf(ui, model);
  if (!run) return null;
  return run.steps.find(({ id }) => id === ui.stepId) ?? currentStep(run, model.items);
}

/** Returns the index of the selected step in the shown order. */
export function stepIndex(ui: Pick<UiState, 'workflowId' | 'stepId'>, model: Known): number {
  const run = workflowOf(ui, model);
  const selected = stepOf(ui, model);
  return run === null ? -1 : stepsOf(run).findIndex(({ id }) => id === selected?.id);
}

export const shownStepSession = (ui: UiState, model: Known): string | null => {
  const step = ui.view === 'workflow' ? stepOf(ui, model) : null;
  return step && sessionOfStep(step);
};

// ── from view to view ───────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Opens the list of workflows; from there it goes back to the lists. From an item of a workflow, it opens that
 * workflow.
 */
export function goToWorkflows(ui: UiState, { model }: KeyContext): KeyResult {
  const { mode, view } = ui;
  const item = mode.kind === 'item' ? entryOfItem(model, mode.itemId)?.item : undefined;
  if (item?.workflow_id !== undefined) return openWorkflow(browse(ui), item.workflow_id);
  return stay({ ...browse(ui), view: view === 'workflows' ? 'lists' : 'workflows', isZoomed: false });
}

export function openSelected(ui: UiState, { model }: KeyContext): KeyResult {
  const chosen = shownWorkflows(model, ui)[workflowIndex(ui, model)];
  return chosen ? openWorkflow(ui, chosen.id) : stay(ui);
}

const openWorkflow = (ui: UiState, workflowId: string): KeyResult =>
  stay({ ...ui, view: 'workflow', workflowId, stepId: null, isZoomed: false });

/** Leaves the innermost state: a filter, then the view. */
export function leaveView(ui: UiState): UiState {
  const isFiltered = ui.view === 'workflows' && ui.filters.workflows !== '';
  if (isFiltered) return { ...ui, filters: { ...ui.filters, workflows: '' } };
  const outer: Partial<Record<ViewName, ViewName>> = { step: 'workflow', workflow: 'workflows' };
  return { ...browse(ui), view: outer[ui.view] ?? 'lists' };
}

/** Moves the selection by `by` lines; it stops at both ends. */
export function moveInView(ui: UiState, by: number, model: Model): UiState {
  const clamp = (index: number, count: number): number => Math.max(0, Math.min(count - 1, index + by));
  if (ui.view === 'workflows') {
    const shown = shownWorkflows(model, ui);
    const chosen = shown[clamp(workflowIndex(ui, model), shown.length)];
    return { ...ui, workflowId: chosen?.id ?? null };
  }
  const run = workflowOf(ui, model);
  const steps = run === null ? [] : stepsOf(run);
  const next = steps[clamp(stepIndex(ui, model), steps.length)];
  return { ...ui, stepId: next?.id ?? null, stepScroll: 0 };
}

export function scrollStep(ui: UiState, direction: 1 | -1, context: KeyContext): KeyResult {
  return stay({ ...ui, stepScroll: scrolled(ui.stepScroll, direction, context) });
}

// ── steps ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Opens the question of the step or of its agent; else the running session's terminal; else the step's details. */
export function openStep(ui: UiState, context: KeyContext): KeyResult {
  const { model, at } = context;
  const step = stepOf(ui, model);
  if (!step) return stay(ui);
  const item = itemOfStep(step, model.items);
  if (item) return openItem(selectItem(ui, item.id, model), item.id, at);
  const session = model.sessions.find(({ id }) => id === sessionOfStep(step));
  if (step.state === 'running' && session && isAlive(session)) return attach(ui, session.id, context);
  return showStep(ui, context);
}

/** Opens the step's details. The step stays selected even if the workflow goes on. */
export function showStep(ui: UiState, { model }: KeyContext): KeyResult {
  const step = stepOf(ui, model);
  return step ? stay({ ...ui, view: 'step', stepId: step.id, stepScroll: 0 }) : stay(ui);
}

export function goToStepSession(ui: UiState, { model, at }: KeyContext): KeyResult {
  const step = stepOf(ui, model);
  const index = model.sessions.findIndex(({ id }) => step !== null && id === sessionOfStep(step));
  const session = model.sessions[index];
  if (!session) return stay(notify(ui, 'no session of this step is there', at));
  const filters = { ...ui.filters, sessions: '' };
  return stay({ ...focusOn(ui, 'sessions'), filters, sessionId: session.id, sessionIndex: index });
}

// ── the whole workflow ──────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the selected workflow in the list, or the open one. */
export function chosenWorkflow(ui: UiState, model: Known) {
  if (ui.view === 'workflows') return shownWorkflows(model, ui)[workflowIndex(ui, model)] ?? null;
  return model.workflows.find(({ id }) => id === ui.workflowId) ?? workflowOf(ui, model);
}

export function startCancel(ui: UiState, { model, at }: KeyContext): KeyResult {
  const run = chosenWorkflow(ui, model);
  if (!run) return stay(ui);
  if (isWorkflowOver(run)) return stay(notify(ui, `${plainLine(run.name)} is ${run.state} already`, at));
  return go(ui, { kind: 'cancelling', workflowId: run.id });
}

export function resume(ui: UiState, { model, at }: KeyContext): KeyResult {
  const run = chosenWorkflow(ui, model);
  if (!run) return stay(ui);
  if (!mayResume(run)) return stay(notify(ui, nothingToResume(run), at));
  return { ui, effect: { kind: 'resume_workflow', workflowId: run.id, from: null } };
}

/**
 * Asks if the workflow should resume from the selected step. The results of that step and of those after it are
 * discarded.
 */
export function startResume(ui: UiState, { model, at }: KeyContext): KeyResult {
  const run = chosenWorkflow(ui, model);
  const step = stepOf(ui, model);
  if (!run || !step) return stay(ui);
  if (!mayResume(run)) return stay(notify(ui, nothingToResume(run), at));
  return go(ui, { kind: 'resuming', workflowId: run.id, stepId: step.id });
}

export const mayResume = ({ state }: Pick<WorkflowRun, 'state'>): boolean =>
  state === 'failed' || state === 'cancelled';

const nothingToResume = ({ name, state }: Pick<WorkflowRun, 'name' | 'state'>): string =>
  `${plainLine(name)} is ${state.replace('_', ' ')}: nothing to resume`;

// ── filter ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export const startFilter = (ui: UiState): KeyResult =>
  go(ui, { kind: 'filtering', list: 'workflows', line: lineOf(ui.filters.workflows) });

/** Workflows in the plain mode: the list, one with its steps, and the latest events. Pure. */
import {
  type Event,
  isWorkflowOver,
  shownWorkflow,
  type WorkflowRun,
  type WorkflowRunSummary,
  type WorkflowStep,
} from '../../protocol/index.js';
import type { Model } from '../model/model.js';
import { stepsOf } from '../model/workflow-model.js';
import { plainLine, plainText } from '../paint/text.js';
import { inputWords, progressWords, runName, stepWords, textOf } from '../rows/workflow-words.js';

/** Returns, for example, `report: running, 3 of 5 done, now analyze`. */
export function workflowLine({ name, state, steps, done, current, error }: WorkflowRunSummary): string {
  const now = current.length === 0 ? [] : [`now ${current.map(plainLine).join(', ')}`];
  const why = state !== 'failed' || error === null ? [] : [plainLine(error.message)];
  return `${plainLine(name)}: ${[shownWorkflow({ state }).word, `${done} of ${steps} done`, ...now, ...why].join(', ')}`;
}

/** Returns the complete workflow, step by step. */
export function workflowLines(run: WorkflowRun, now: number): string[] {
  const inputs = inputWords(run);
  const steps = stepsOf(run);
  const open = new Set(steps.filter(({ state }) => state !== 'completed' && state !== 'skipped').map(({ id }) => id));
  return [
    `Workflow ${plainLine(run.name)}, ${shownWorkflow(run).word}, ${progressWords(run, now).replaceAll(' · ', ', ')}.`,
    ...(inputs === '' ? [] : [`Given ${inputs.replaceAll(' · ', ', ')}.`]),
    ...steps.flatMap((step) => stepLines(step, open)),
  ];
}

function stepLines(step: WorkflowStep, open: ReadonlySet<string>): string[] {
  const { id, state, values, result, runs, error } = step;
  const words = state === 'completed' ? '' : stepWords(step, open);
  const made = Object.entries(values ?? {}).map(([name, value]) => `${plainLine(name)}: ${textOf(value)}`);
  const said = result === null ? [] : [textOf(result)];
  const failed =
    state === 'failed' ? runs.filter((run) => run.state === 'failed' && run.error?.message !== error?.message) : [];
  return [
    `${plainLine(id)}: ${state}${words === '' ? '' : `, ${words}`}`,
    ...[...made, ...said].flatMap((text) => plainText(text).split('\n')),
    ...failed.map((run) => `${runName(step, run)} failed: ${plainLine(run.error?.message ?? '')}`),
  ];
}

/** Returns null if another line already contains the news. A question is announced as an item. */
export function workflowNews(event: Event, { workflows }: Pick<Model, 'workflows'>): string | null {
  const run = workflows.find(({ id }) => id === event.workflow_id);
  const name = `Workflow ${run === undefined ? String(event.workflow_id) : plainLine(run.name)}`;
  switch (event.event_type) {
    case 'workflow_created':
      return `${name} runs: ${event.steps} step${event.steps === 1 ? '' : 's'}.`;
    case 'workflow_state_changed':
      if (event.state === 'awaiting_input') return `${name} waits for you.`;
      if (event.state === 'running') return `${name} goes on.`;
      return `${name} ${sentence(event.state, event.state === 'failed' ? (event.error?.message ?? '') : '')}`;
    case 'workflow_step_changed':
      if (event.state === event.previous || event.state === 'asking' || event.state === 'waiting') return null;
      return `${name}: ${plainLine(event.step)} ${sentence(event.state, event.error?.message ?? '')}`;
    default:
      return null;
  }
}

const sentence = (state: string, why: string): string => `${state}${why === '' ? '' : `: ${plainLine(why)}`}.`;

/**
 * Finds a workflow by name, id, or a unique prefix of either. If several have the same name, it returns the running
 * one, otherwise the newest.
 */
export function findWorkflow(workflows: readonly WorkflowRunSummary[], word: string): WorkflowRunSummary {
  const whole = workflows.filter(({ id, name }) => name === word || id === word);
  const found =
    whole.length > 0 ? whole : workflows.filter(({ id, name }) => name.startsWith(word) || id.startsWith(word));
  const names = [...new Set(found.map(({ name }) => plainLine(name)))];
  const [first] = found.filter((one) => !isWorkflowOver(one));
  const chosen = first ?? found[0];
  if (chosen && names.length === 1) return chosen;
  throw new Error(
    names.length === 0 ? `there is no workflow ${word}; type workflows` : `${word} may be ${names.join(', ')}`,
  );
}

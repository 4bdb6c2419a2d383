/**
 * Workflows and their steps in words: states with a mark and a colour, progress, results. Pure; all texts are safe to
 * display.
 */
import {
  type Item,
  isWorkflowOver,
  placeWords,
  type WorkflowRun,
  type WorkflowRunSummary,
  type WorkflowStep,
  type WorkflowStepRun,
} from '../../protocol/index.js';
import { subjectOf } from '../model/items/item-words.js';
import { age, elapsed } from '../paint/ages.js';
import { plainLine, plainText } from '../paint/text.js';

const isDone = ({ state }: WorkflowStep): boolean => state === 'completed' || state === 'skipped';

/** Returns, for example, `3 of 5 done · 2 jobs · 1:20`. */
export function progressWords({ steps, jobs, created_at, ended_at }: WorkflowRun, now: number): string {
  const done = steps.filter(isDone).length;
  const side = jobs === 1 ? [] : [`${jobs} jobs`];
  return [`${done} of ${steps.length} done`, ...side, elapsed(created_at, ended_at, now)].join(' · ');
}

/** Returns what a workflow in the list is doing, or its result. */
export function doingWords(run: WorkflowRunSummary, now: number): string {
  const { state, current, error, ended_at } = run;
  if (!isWorkflowOver(run)) return current.map(plainLine).join(', ');
  const when = ended_at === null ? '' : `${age(ended_at, now)} ago`;
  return [state === 'failed' && error !== null ? plainLine(error.message) : '', when].filter(Boolean).join(' · ');
}

/**
 * Returns one line for a step: what it waits for, its running agents, its question, its result, or its error.
 *
 * @param asked The open item of one of its agents while it runs.
 */
export function stepWords(step: WorkflowStep, open: ReadonlySet<string>, asked: Item | null = null): string {
  if (step.state === 'running' && asked) return `asks: ${plainLine(subjectOf(asked))}`;
  switch (step.state) {
    case 'waiting': {
      const missing = step.needs.filter((id) => open.has(id)).map(plainLine);
      return missing.length === 0 ? '' : `after ${missing.join(', ')}`;
    }
    case 'running':
      return runsWords(step);
    case 'asking':
      return plainLine(step.question ?? '');
    case 'completed':
      return madeWords(step);
    case 'failed':
      return plainLine(step.error?.message ?? '');
    case 'skipped':
      return 'its condition did not hold';
    case 'cancelled':
      return '';
  }
}

/** Returns the agents with their states and machines, or for a list the entries by number. */
function runsWords(step: WorkflowStep): string {
  const { runs } = step;
  const entries = new Set(runs.map(({ entry }) => entry));
  if (entries.size > 1) {
    const states = (['running', 'completed', 'failed', 'cancelled'] as const).flatMap((state) => {
      const count = runs.filter((run) => run.state === state).length;
      return count === 0 ? [] : [`${count} ${state}`];
    });
    return `runs: ${states.join(', ')}`;
  }
  const hasAgents = runs.some(({ agent }) => agent !== null);
  return lastOfEach(runs)
    .map((run) => {
      const how = hasAgents || run.state !== 'running' ? `${runName(step, run)} ${run.state}` : '';
      const where = run.state === 'running' && run.machine !== undefined ? plainLine(placeWords(run.machine)) : '';
      return [how, where].filter(Boolean).join(' ');
    })
    .filter(Boolean)
    .join(', ');
}

/** Returns the last run of each agent and entry. */
function lastOfEach(runs: readonly WorkflowStepRun[]): WorkflowStepRun[] {
  return [...new Map(runs.map((run) => [`${run.entry} ${run.agent}`, run])).values()];
}

/**
 * Returns `researcher`, or `#3 researcher` for an entry of a list. The run that combines the agents' results is
 * `synthesis`.
 */
export function runName({ agents }: Pick<WorkflowStep, 'agents'>, { agent, entry }: WorkflowStepRun): string {
  const who = agent === null ? (agents.length > 0 ? 'synthesis' : entry === null ? 'run' : '') : plainLine(agent);
  return [entry === null ? '' : `#${entry}`, who].filter(Boolean).join(' ');
}

/** Returns, for example, `summary: hot · score: 9`; the text of a goal without outputs. */
function madeWords({ values, result }: WorkflowStep): string {
  if (values === null) return result === null ? '' : plainLine(textOf(result));
  return Object.entries(values)
    .map(([name, value]) => `${plainLine(name)}: ${plainLine(textOf(value))}`)
    .join(' · ');
}

/** Formats a value. The brief form of a workflow contains values as texts. */
export const textOf = (value: unknown): string => plainText(typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the INPUTs on one line. */
export const inputWords = ({ variables }: WorkflowRun): string =>
  variables
    .filter(({ step }) => step === null)
    .map(({ name, value }) => `${plainLine(name)}: ${plainLine(textOf(value))}`)
    .join(' · ');

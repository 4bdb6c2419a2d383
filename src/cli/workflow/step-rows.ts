/**
 * Formats the steps of a workflow run as table rows, with their runs below them if there are several.
 *
 *     STEP          STATE      TOOK    RUN OR ITEM
 *     analyze       running    12.0 s
 *       researcher  completed          run_4f9a21c0kq
 *       critic      running            run_7hh2mzt51b
 *     go            waiting    -
 */
import { displayLine, STEP_BADGES, type WorkflowStep, type WorkflowStepRun } from '../../protocol/index.js';
import { formatElapsed } from '../printing/counts.js';
import type { Cell } from '../printing/paint.js';
import { withoutGoal } from './progress.js';

/** Maximum length of a name, so that the other columns fit on a small terminal. */
const MAX_NAME = 28;
/** Maximum number of runs shown per step. In a FOREACH, runs that are not completed are shown first. */
const MAX_RUNS = 8;

export const stepRows = (steps: readonly WorkflowStep[]): Cell[][] => steps.flatMap(rowsOf);

function rowsOf(step: WorkflowStep): Cell[][] {
  const { id, state, runs, item_id, question, error } = step;
  const [only] = runs;
  const isAlone = runs.length === 1 && only !== undefined && only.agent === null && only.entry === null;
  const last = item_id !== null ? `${item_id}: ${question ?? ''}` : isAlone ? placedRun(only) : countsOf(runs);
  const why = error === null || (runs.length > 0 && !isAlone) ? '' : `: ${withoutGoal(error.message)}`;
  const row: Cell[] = [
    { text: named(id), style: 'bold' },
    { text: state, style: STEP_BADGES[state].style },
    { text: formatElapsed(step) },
    { text: displayLine(`${last}${why}`) },
  ];
  return isAlone ? [row] : [row, ...shownRuns(runs).map((run) => runRow(step, run))];
}

function runRow({ agents }: WorkflowStep, run: WorkflowStepRun): Cell[] {
  const { agent, entry, state, error } = run;
  const who = agent ?? (agents.length > 0 ? 'synthesis' : entry === null ? 'run' : '');
  const which = [...(entry === null ? [] : [String(entry)]), who].join(' ').trimEnd();
  const why = error === null ? '' : `: ${error.message.replace(/^(?:goal|question) [^:]*: /, '')}`;
  return [
    { text: named(`  ${which}`) },
    { text: state, style: STEP_BADGES[state].style },
    { text: '' },
    { text: displayLine(`${placedRun(run)}${why}`) },
  ];
}

/** Returns the id of a run, with its machine if that is another one. */
const placedRun = ({ run_id, machine }: WorkflowStepRun): string =>
  machine === undefined ? run_id : `${machine}/${run_id}`;

/** Returns all runs if there are few; otherwise those that are not completed. */
const shownRuns = (runs: readonly WorkflowStepRun[]): readonly WorkflowStepRun[] =>
  runs.length <= MAX_RUNS ? runs : runs.filter(({ state }) => state !== 'completed').slice(0, MAX_RUNS);

function countsOf(runs: readonly WorkflowStepRun[]): string {
  if (runs.length <= MAX_RUNS) return '';
  const counts = new Map<string, number>();
  for (const { state } of runs) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `${runs.length} runs: ${[...counts].map(([state, count]) => `${count} ${state}`).join(', ')}`;
}

function named(text: string): string {
  const chars = [...text];
  return chars.length <= MAX_NAME ? text : `${chars.slice(0, MAX_NAME - 1).join('')}…`;
}

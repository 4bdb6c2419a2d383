/** Tasks, runs and blueprints as the plain mode says them, line by line. Pure. */
import {
  type Blueprint,
  type Event,
  type Run,
  type RunSummary,
  shownRun,
  shownTask,
  type Task,
  type TaskHistoryEntry,
  type TaskSummary,
} from '../../protocol/index.js';
import { goalAndReason, runAgent } from '../model/work-words.js';
import type { Paint } from '../paint/paint.js';
import { plainLine } from '../paint/text.js';
import { blueprintDetails, runDetails, taskDetails } from '../rows/detail-rows.js';

/** Markers around titles, in place of a colour. Texts of agents cannot contain these characters. */
const [TITLE, END] = ['\u0001', '\u0002'];
const mark: Paint = Object.assign(
  (style: unknown, text: string) => (style === 'dim' ? `${TITLE}${text}${END}` : text),
  {
    hasColour: false,
    theme: 'none' as const,
  },
);
/** Wide enough that lines are not wrapped. */
const SHEET = { paint: mark, columns: 100_000 } as const;

/** Returns, for example, `tsk_7k3: planned, Count to ten`. */
export const taskLine = (task: TaskSummary): string =>
  `${task.id}: ${[shownTask(task).word, goalAndReason(task)].join(', ')}`;

export const runLine = (run: RunSummary): string =>
  `${run.id}: ${[shownRun(run).word, runAgent(run), goalAndReason(run)].join(', ')}`;

export const blueprintLine = ({ name, description, problem }: Blueprint): string =>
  `${plainLine(name)}: ${problem ? `damaged: ${plainLine(problem.message)}` : plainLine(description) || 'no description'}`;

export const taskLines = (task: Task, history: readonly TaskHistoryEntry[], now: number): string[] =>
  spoken(taskDetails(SHEET, { task, history, now }));

export const runLines = (run: Run, now: number): string[] => spoken(runDetails(SHEET, run, now));

export const blueprintLines = (blueprint: Blueprint): string[] => spoken(blueprintDetails(SHEET, blueprint));

/** Removes column layout: a title and its text become `state: ✓ completed`. */
const spoken = (rows: readonly string[]): string[] =>
  rows
    .map((row) =>
      row
        .replace(/^\u0001(\S[^\u0002]*?):?\s*\u0002/, '$1: ')
        .replaceAll(/[\u0001\u0002]/g, '')
        .trim(),
    )
    .filter((row) => row !== '');

/** Returns the new state of a task or a run in words; null if another line already contains it. */
export function workNews(event: Event): string | null {
  switch (event.event_type) {
    case 'task_created':
      return `Task ${event.task_id} is created: ${plainLine(event.prompt)}.`;
    case 'task_state_changed': {
      const why = event.error === null ? '' : `: ${plainLine(event.error.message)}`;
      return event.state === 'awaiting_input' ? null : `Task ${event.task_id} ${event.state}${why}.`;
    }
    case 'result': {
      // Runs of a task or a workflow are announced by the lines of that task or workflow.
      if (event.workflow_id !== undefined || event.task_id !== undefined) return null;
      const why = event.error === null ? '' : `: ${plainLine(event.error.message)}`;
      return `Run ${event.run_id} ${event.status}${why}.`;
    }
    default:
      return null;
  }
}

/** Words for tasks, and the columns of their board. */
import { isTaskOver, mayPlan, mayStart, shownTask, type Task, type TaskSummary } from '../../protocol/index.js';
import { inOrder } from '../browser/in-order.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';

/** Returns the first line of a task that has text. */
export function taskTitle(prompt: string): string {
  return markdownLine(prompt.trimStart().split('\n', 1)[0] ?? '', 160);
}

/** Returns the agent that works on a task. Before the work begins, returns the assigned one. */
export const taskAgent = ({ current_agent, assigned_agent }: Pick<Task, 'current_agent' | 'assigned_agent'>): string =>
  line(current_agent ?? assigned_agent ?? '', 80);

export interface Column {
  readonly title: string;
  readonly tasks: readonly TaskSummary[];
}

const TITLES = ['To plan', 'Planning', 'Asks you', 'To start', 'Running', 'Ended'] as const;

function columnOf(task: TaskSummary): (typeof TITLES)[number] {
  if (isTaskOver(task)) return 'Ended';
  if (task.state === 'awaiting_input' || task.asking !== undefined) return 'Asks you';
  if (task.state === 'pending') return 'To plan';
  if (task.state === 'planned') return 'To start';
  return task.state === 'planning' ? 'Planning' : 'Running';
}

/**
 * Puts each task into one column, the newest first; ended tasks are ordered by their end.
 *
 * @param held  Columns as they were shown. Their tasks keep their places. Default: none.
 */
export function columnsOf(tasks: readonly TaskSummary[], held: readonly Column[] = []): readonly Column[] {
  const heldTitles = new Map(held.flatMap(({ title, tasks }) => tasks.map(({ id }) => [id, title])));
  const heldIds = [...heldTitles.keys()];
  const newest = tasks.toSorted((a, b) => (lastAt(a) < lastAt(b) ? 1 : lastAt(a) > lastAt(b) ? -1 : 0));
  const placed = inOrder(newest, ({ id }) => id, heldIds);
  const titleOf = (task: TaskSummary): string => heldTitles.get(task.id) ?? columnOf(task);
  return TITLES.map((title) => ({ title, tasks: placed.filter((task) => titleOf(task) === title) }));
}

const lastAt = ({ ended_at, created_at }: TaskSummary): string => ended_at ?? created_at;

interface TaskAct {
  readonly operation: 'task.plan' | 'task.start';
  readonly label: string;
}

/** Returns the next steps that a person can start. A failed task continues with the step that failed. */
export function nextActs(task: Pick<Task, 'state' | 'plan'>): readonly TaskAct[] {
  const first = task.state === 'failed' ? 'Retry' : null;
  const acts: TaskAct[] = [];
  if (mayStart(task)) acts.push({ operation: 'task.start', label: first ?? 'Start' });
  if (mayPlan(task))
    acts.push({ operation: 'task.plan', label: task.plan === null ? (first ?? 'Plan') : 'Plan again' });
  return acts;
}

/** True if the task has all of the words. */
export function hasWords(task: TaskSummary, words: string): boolean {
  const { id, prompt, error } = task;
  const text = `${id} ${prompt} ${taskAgent(task)} ${shownTask(task).word} ${error?.message ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

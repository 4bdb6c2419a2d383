/**
 * The part of the model that holds tasks, runs and blueprints: the lists, and the one that is looked at. Pure.
 *
 * The daemon's replies are the truth; watch-work.ts asks for them again after every event that concerns them.
 */
import {
  type Blueprint,
  type Item,
  isRunOver,
  isTaskOver,
  type Run,
  type RunSummary,
  type Task,
  type TaskHistoryEntry,
  type TaskSummary,
} from '../../protocol/index.js';

export interface Work {
  /** Unfinished ones first, then the newest first. */
  readonly tasks: readonly TaskSummary[];
  /** In the same order. */
  readonly runs: readonly RunSummary[];
  /** By name. */
  readonly blueprints: readonly Blueprint[];
  /** The task that was looked at last, with its history. */
  readonly task: Task | null;
  readonly history: readonly TaskHistoryEntry[];
  /** The run that was looked at last. */
  readonly run: Run | null;
}

export const NO_WORK: Work = { tasks: [], runs: [], blueprints: [], task: null, history: [], run: null };

/** The work with newer replies of the daemon. */
export function takeWork(work: Work, part: Partial<Work>): Work {
  return {
    ...work,
    ...part,
    ...(part.tasks && { tasks: inOrder(part.tasks, isTaskOver) }),
    ...(part.runs && { runs: inOrder(part.runs, isRunOver) }),
    ...(part.blueprints && { blueprints: part.blueprints.toSorted((a, b) => a.name.localeCompare(b.name)) }),
  };
}

function inOrder<T extends { readonly created_at: string }>(all: readonly T[], isOver: (one: T) => boolean): T[] {
  return all.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.created_at.localeCompare(a.created_at));
}

/** The oldest open item that a task waits for: a question of its planner, or of the agent that works on it. */
export const itemOfTask = (task: Pick<Task, 'id' | 'asking'>, items: readonly Item[]): Item | null =>
  items.find(({ id, task_id }) => task_id === task.id || task.asking?.includes(id)) ?? null;

/** The oldest open item that a run waits for, or that its living session asks. */
export const itemOfRun = (run: Pick<Run, 'state' | 'asking' | 'session_id'>, items: readonly Item[]): Item | null =>
  items.find(
    ({ id, session_id }) => run.asking?.includes(id) || (run.state === 'running' && session_id === run.session_id),
  ) ?? null;

/** The session of what a task does now, or did last; null while its run is not known. */
export function sessionOfTask({ attempts }: Task, { runs, run }: Work): string | null {
  const runId = attempts.at(-1)?.run_id;
  const known = run?.id === runId ? run : runs.find(({ id }) => id === runId);
  return known?.session_id ?? null;
}

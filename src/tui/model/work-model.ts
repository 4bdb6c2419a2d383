/**
 * The tasks, runs and blueprints in the model: the lists, and the open entry; the changes of an open session. Pure.
 *
 * The model keeps the daemon's replies. watch-work.ts requests them again after every event that concerns them.
 */
import {
  type Blueprint,
  type Item,
  isRunOver,
  isTaskOver,
  type OutputOf,
  type Run,
  type RunSummary,
  type Task,
  type TaskHistoryEntry,
  type TaskSummary,
} from '../../protocol/index.js';

export interface Work {
  /** Unfinished tasks come before finished ones, newest first. */
  readonly tasks: readonly TaskSummary[];
  /** The runs, in the same order as the tasks. */
  readonly runs: readonly RunSummary[];
  /** The blueprints, sorted by name. */
  readonly blueprints: readonly Blueprint[];
  /** The task that was opened last, with its history. */
  readonly task: Task | null;
  readonly history: readonly TaskHistoryEntry[];
  /** The run that was opened last. */
  readonly run: Run | null;
  /** The changes in the repository by the session that was opened last. */
  readonly changes: SessionChanges | null;
  /** Sentences that explain the state of that session. */
  readonly why: SessionWhy | null;
}

interface SessionChanges {
  readonly session: string;
  /** Null if its directory is in no repository, or git failed. */
  readonly changes: OutputOf<'session.changes'> | null;
}

interface SessionWhy {
  readonly session: string;
  /** The explanation in sentences, as `orchd explain` prints them. */
  readonly sentences: readonly string[];
}

export const NO_WORK: Work = {
  tasks: [],
  runs: [],
  blueprints: [],
  task: null,
  history: [],
  run: null,
  changes: null,
  why: null,
};

/** Returns the work with newer replies of the daemon merged in. */
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

/** Returns the oldest open item of a task: a question of its planner, or of the agent that works on it. */
export const itemOfTask = (task: Pick<Task, 'id' | 'asking'>, items: readonly Item[]): Item | null =>
  items.find(({ id, task_id }) => task_id === task.id || task.asking?.includes(id)) ?? null;

/** Returns the oldest open item of a run, or of its living session. */
export const itemOfRun = (run: Pick<Run, 'state' | 'asking' | 'session_id'>, items: readonly Item[]): Item | null =>
  items.find(
    ({ id, session_id }) => run.asking?.includes(id) || (run.state === 'running' && session_id === run.session_id),
  ) ?? null;

/** Returns the session of the task's last attempt; null while its run is not known. */
export function sessionOfTask({ attempts }: Task, { runs, run }: Work): string | null {
  const runId = attempts.at(-1)?.run_id;
  const known = run?.id === runId ? run : runs.find(({ id }) => id === runId);
  return known?.session_id ?? null;
}

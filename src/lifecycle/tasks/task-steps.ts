/**
 * The steps that the rules of a task are made of: an attempt begins or ends, the task changes its state, its history
 * gets a line. Pure.
 */
import {
  isTaskOver,
  type RunError,
  type Task,
  type TaskAttempt,
  type TaskHistoryEntry,
  type TaskState,
} from '../../protocol/index.js';
import { timestamp } from '../timestamp.js';
import type { TaskAggregate, TaskDecision } from './task-aggregate.js';

interface Beginning extends Pick<TaskAttempt, 'kind' | 'agent'> {
  readonly runId: string;
  readonly time: number;
}

export function begin(aggregate: TaskAggregate, { kind, agent, runId, time }: Beginning): TaskDecision {
  const { task } = aggregate;
  const attempt: TaskAttempt = {
    number: task.attempts.length + 1,
    kind,
    agent,
    run_id: runId,
    started_at: timestamp(time),
    ended_at: null,
  };
  const begun = withTask(aggregate, { current_agent: agent, attempts: [...task.attempts, attempt], report: null });
  const change = kind === 'planning' ? (['planning', 'planning_started'] as const) : (['running', 'started'] as const);
  const moved = move(begun, { to: change[0], runId, time });
  return note(
    { ...moved, effects: [{ kind: 'run', attempt }] },
    time,
    change[1],
    `by ${agent ?? 'the default agent'}`,
    runId,
  );
}

export function endAttempt(aggregate: TaskAggregate, time: number): TaskAggregate {
  const last = aggregate.task.attempts.at(-1);
  if (!last) return aggregate;
  const attempts = [...aggregate.task.attempts.slice(0, -1), { ...last, ended_at: timestamp(time) }];
  return withTask(aggregate, { attempts, current_agent: null });
}

export function fail(aggregate: TaskAggregate, error: RunError, time: number): TaskDecision {
  const moved = move(withTask(aggregate, { error }), { to: 'failed', runId: null, time });
  return note(moved, time, 'failed', error.message);
}

export function move(
  aggregate: TaskAggregate,
  { to, runId, time }: { to: TaskState; runId: string | null; time: number },
): TaskDecision {
  const { id, state: previous } = aggregate.task;
  const isOver = isTaskOver({ state: to });
  const moved = withTask(aggregate, {
    state: to,
    ...(isOver ? { ended_at: timestamp(time) } : { error: null, ended_at: null }),
  });
  const event = { event_type: 'task_state_changed' as const, timestamp: timestamp(time), task_id: id };
  return {
    aggregate: moved,
    events: [{ ...event, state: to, previous, run_id: runId, error: moved.task.error }],
    effects: [],
  };
}

export function note(
  decision: TaskDecision,
  time: number,
  event: TaskHistoryEntry['event'],
  text: string,
  runId?: string,
): TaskDecision {
  const entry = { timestamp: timestamp(time), event, ...(runId !== undefined && { run_id: runId }), text };
  return { ...decision, aggregate: withHistory(decision.aggregate, [entry]) };
}

export const withTask = (aggregate: TaskAggregate, changes: Partial<Task>): TaskAggregate => ({
  ...aggregate,
  task: { ...aggregate.task, ...changes },
});

/** Adds entries in the order of time, because a run reports earlier events at its end. */
export function withHistory(aggregate: TaskAggregate, entries: readonly TaskHistoryEntry[]): TaskAggregate {
  const history = [...aggregate.history, ...entries].sort((a, b) =>
    a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
  );
  return { ...aggregate, history };
}

/** Runs, tasks and inputs for tests, made from the samples that the tables in protocol/lifecycle.md show. */
import { RUN_INPUTS, RUN_STATES, TASK_INPUTS, TASK_STATES } from '../../src/build/lifecycle-samples.js';
import type { AttemptEnd, RunAggregate, RunInput } from '../../src/lifecycle/runs/index.js';
import type { TaskAggregate, TaskInput } from '../../src/lifecycle/tasks/task-aggregate.js';
import type { Run, Task } from '../../src/protocol/index.js';

export { ASKED, isPossible, LIMITED, OWING, REPORT, UNFIT } from '../../src/build/lifecycle-samples.js';
export { RUN_INPUTS, RUN_STATES, TASK_INPUTS, TASK_STATES };

export const TURN = RUN_INPUTS.turn;
export const SUBMITTED = RUN_INPUTS.submitted;
export const NOW = TURN.time;

export function runAggregate(changes: Partial<Run> = {}): RunAggregate {
  const { queued } = RUN_STATES;
  return { ...queued, run: { ...queued.run, ...changes } };
}

export function ended(changes: Partial<AttemptEnd>, time = NOW + 1000): Extract<RunInput, { kind: 'ended' }> {
  const fitting = RUN_INPUTS['ended, and its text fits'];
  return { ...fitting, end: { ...fitting.end, ...changes }, time };
}

export const PLAN = TASK_INPUTS.plan;
export const START = TASK_INPUTS.start;
export const QUESTIONS = TASK_INPUTS['run_over: questions'];
export const PLAN_READY = TASK_INPUTS['run_over: a plan, or a report'];

export function taskAggregate(changes: Partial<Task> = {}): TaskAggregate {
  const { pending } = TASK_STATES;
  return { ...pending, task: { ...pending.task, ...changes }, chosen: changes.assigned_agent ?? null };
}

export function runOver(
  changes: Partial<Pick<Run, 'state' | 'result_data' | 'error' | 'attempts'>>,
): Extract<TaskInput, { kind: 'run_over' }> {
  return { ...PLAN_READY, run: { ...PLAN_READY.run, result_data: null, ...changes } };
}

export const answered = (itemId: string, answer: string | null = 'x'): Extract<TaskInput, { kind: 'answered' }> => ({
  ...TASK_INPUTS['answered, the last'],
  itemId,
  answer,
});

/**
 * The states of runs, tasks and workflow runs: which of them have ended, and the actions that each state of a task
 * allows. Pure. The daemon checks actions with it, and views offer them.
 */
import type { RunState, Task, TaskState, WorkflowRunState } from '../generated/types.js';

type InState = { readonly state: TaskState };

const PLANS_FROM: ReadonlySet<TaskState> = new Set(['pending', 'planned', 'failed']);

/** True for a task that has ended. */
export const isTaskOver = ({ state }: InState): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled';

/** True while a program works on the task. */
export const isTaskBusy = ({ state }: InState): boolean => state === 'planning' || state === 'running';

/** True if the task may be planned, for the first time or again. */
export const mayPlan = ({ state }: InState): boolean => PLANS_FROM.has(state);

/** True if the task has a plan that may be executed. */
export const mayStart = ({ state, plan }: Pick<Task, 'state' | 'plan'>): boolean =>
  state === 'planned' || (state === 'failed' && plan !== null);

/** True for a run that has ended. */
export const isRunOver = ({ state }: { readonly state: RunState }): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled';

/** True for a workflow run that has ended. */
export const isWorkflowOver = ({ state }: { readonly state: WorkflowRunState }): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled';

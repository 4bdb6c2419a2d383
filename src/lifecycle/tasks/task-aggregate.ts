/** The state of a task, what may happen to it, and what the daemon must do then. */
import type { Run, RunError, Task, TaskAttempt, TaskHistoryEntry, TaskQuestion } from '../../protocol/index.js';
import type { Decided } from '../decided.js';

/** The state of a task. */
export interface TaskAggregate {
  readonly task: Task;
  /** The agent that a person chose; null if none. A plan assigns an agent only if no person did. */
  readonly chosen: string | null;
  readonly umask: number;
  readonly history: readonly TaskHistoryEntry[];
  /** The client or the session that has cancelled it. */
  readonly cancelledBy?: string;
}

export type TaskInput =
  /** `startsItself`: null to keep the current value. */
  | { readonly kind: 'plan'; readonly runId: string; readonly startsItself: boolean | null; readonly time: number }
  /** `agent`: null for the assigned one. */
  | { readonly kind: 'start'; readonly runId: string; readonly agent: string | null; readonly time: number }
  /** The attempt's run has made the required call. */
  | { readonly kind: 'submitted'; readonly runId: string; readonly at: string }
  /** Its run has ended. `runId`: the id for the next attempt; `itemIds`: ids for questions, one for each. */
  | {
      readonly kind: 'run_over';
      readonly run: Pick<Run, 'id' | 'state' | 'result_data' | 'error' | 'attempts'>;
      readonly runId: string;
      readonly itemIds: readonly string[];
      readonly time: number;
    }
  /** The attempt's run could not be created. */
  | { readonly kind: 'not_started'; readonly runId: string; readonly error: RunError; readonly time: number }
  /** The task's questions cannot be shown, because the session that asked is gone. */
  | { readonly kind: 'unasked'; readonly time: number }
  /**
   * A question was answered; `answer` is null if it was declined. `runId`: the id of the planning run after the last
   * answer.
   */
  | {
      readonly kind: 'answered';
      readonly itemId: string;
      readonly answer: string | null;
      readonly by: string;
      readonly runId: string;
      readonly time: number;
    }
  /** `by`: as `cancelledBy` of the aggregate. */
  | { readonly kind: 'cancelled'; readonly by?: string; readonly time: number };

export type TaskEffect =
  /** Start the run of the last attempt if it was not started yet. Otherwise its end is reported. */
  | { readonly kind: 'run'; readonly attempt: TaskAttempt }
  /** Open these questions as items if they were not opened yet. Otherwise their answers are reported. */
  | { readonly kind: 'ask'; readonly questions: readonly TaskQuestion[] }
  | { readonly kind: 'cancel_run'; readonly runId: string; readonly by?: string }
  | { readonly kind: 'withdraw'; readonly itemIds: readonly string[] };

export type TaskDecision = Decided<TaskAggregate, TaskEffect>;

export type TaskInputOf<K extends TaskInput['kind']> = Extract<TaskInput, { kind: K }>;

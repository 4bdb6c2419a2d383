/** All that is kept of a workflow run: what was asked for, and where each step stands. Pure types. */
import type {
  NewEventOf,
  Run,
  WorkflowError,
  WorkflowProfile,
  WorkflowRunState,
  WorkflowStepRun,
  WorkflowStepState,
} from '../../protocol/index.js';
import type { Plan } from '../plan.js';
import type { Output, Workflow } from '../workflow.js';

/** What is the same for the whole run, and where that stands. */
export interface Head {
  readonly id: string;
  readonly name: string;
  readonly workflow: Workflow;
  /** Of each INPUT. */
  readonly inputs: Readonly<Record<string, string>>;
  /** How many goals, or entries of a FOREACH, may run at the same time. */
  readonly jobs: number;
  readonly adapter: string | null;
  readonly model: string | null;
  readonly profiles: Readonly<Record<string, WorkflowProfile>>;
  readonly project: string | null;
  readonly cwd: string;
  readonly umask: number;
  readonly parentSessionId: string | null;
  readonly state: WorkflowRunState;
  readonly error: WorkflowError | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** What a run returned: the declared outputs, or its text. */
export type PartResult = { readonly values: Readonly<Record<string, unknown>> } | { readonly text: string };

/** One run of a step: of one of its agents, or (null) of the goal itself. */
export interface Part extends Readonly<Omit<WorkflowStepRun, 'run_id' | 'session_id' | 'error'>> {
  readonly runId: string;
  readonly result: PartResult | null;
  readonly error: WorkflowError | null;
  /** It waits for a person's answer, without a program. */
  readonly asks: boolean;
}

export interface StepProgress {
  readonly id: string;
  readonly state: WorkflowStepState;
  readonly parts: readonly Part[];
  /** Of an ASK, once it is asked; its question with the variables put in. */
  readonly itemId: string | null;
  readonly question: string | null;
  /** Of an ASK with TIMEOUT: how long is waited (milliseconds since the epoch). */
  readonly until: number | null;
  readonly values: Readonly<Record<string, unknown>> | null;
  readonly result: string | readonly string[] | null;
  readonly error: WorkflowError | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface Progress {
  readonly head: Head;
  /** Follows from `head.workflow`. */
  readonly plan: Plan;
  /** One for each step of the plan. */
  readonly steps: readonly StepProgress[];
}

export type WorkflowInput =
  /** One of its runs is over. */
  | { readonly kind: 'run_over'; readonly run: RunEnd }
  /** One of its runs has begun to wait for an answer, or goes on. */
  | { readonly kind: 'run_asks'; readonly runId: string; readonly asks: boolean }
  /** One of its runs could not be made. */
  | { readonly kind: 'not_started'; readonly runId: string; readonly error: NonNullable<Run['error']> }
  /** Null: declined. */
  | { readonly kind: 'answered'; readonly itemId: string; readonly answer: string | null; readonly by: string }
  /** It could not be put before anybody. */
  | { readonly kind: 'not_asked'; readonly itemId: string; readonly message: string }
  /** Nobody has answered in time. */
  | { readonly kind: 'timed_out'; readonly itemId: string }
  | { readonly kind: 'cancelled' }
  /** `from`: the step with which it begins anew; null: what is completed stays. */
  | { readonly kind: 'resumed'; readonly from: string | null; readonly jobs: number };

export type RunEnd = Pick<Run, 'id' | 'state' | 'result_text' | 'result_data' | 'error'>;

export type WorkflowEffect =
  /** Start this run, unless that was done; or hear how it ended. */
  | { readonly kind: 'run'; readonly request: PartRequest }
  /** Put it before the person, unless that was done; or hear what was answered. `until`: then it is `timed_out`. */
  | {
      readonly kind: 'ask';
      readonly itemId: string;
      readonly question: string;
      readonly choices: readonly string[];
      readonly until: number | null;
    }
  | { readonly kind: 'cancel_run'; readonly runId: string }
  | { readonly kind: 'withdraw'; readonly itemId: string };

export interface PartRequest {
  readonly runId: string;
  readonly stepId: string;
  /** Null for the goal itself. */
  readonly agent: string | null;
  /** With its variables put in. */
  readonly prompt: string;
  readonly outputs: readonly Output[];
  readonly blueprint: string | null;
  readonly profile: string | null;
  readonly timeoutMs: number | null;
  /** US dollars. */
  readonly budget: number | null;
}

/** What a decision takes from outside. */
export interface Means {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The same, as events have it. */
  readonly at: string;
  readonly newRunId: () => string;
  readonly newItemId: () => string;
}

export interface WorkflowDecision {
  readonly progress: Progress;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly WorkflowEffect[];
}

const STEP_OVER: ReadonlySet<WorkflowStepState> = new Set(['completed', 'skipped']);
const RUN_OVER: ReadonlySet<WorkflowRunState> = new Set(['completed', 'failed', 'cancelled']);

/** What needs it may begin. */
export const isStepDone = ({ state }: Pick<StepProgress, 'state'>): boolean => STEP_OVER.has(state);

export const isWorkflowOver = ({ state }: { readonly state: WorkflowRunState }): boolean => RUN_OVER.has(state);

/** A step that has not begun. */
export const unbegun = (id: string): StepProgress => ({
  ...{
    id,
    state: 'waiting',
    parts: [],
    itemId: null,
    question: null,
    until: null,
    values: null,
    result: null,
    error: null,
  },
  ...{ startedAt: null, endedAt: null },
});

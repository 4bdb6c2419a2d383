/** The state of a workflow run: its request, and the state of each step. Pure types. */
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
import type { MachineSelector, Output, Workflow } from '../workflow.js';

/** The values of the whole run: those that are fixed at its start, and its state. */
export interface Head {
  readonly id: string;
  readonly name: string;
  /** The text of the Agentfile. Runs of earlier versions have none. */
  readonly agentfile?: string;
  readonly workflow: Workflow;
  /** Value of each INPUT. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Maximum number of goals, or entries of a FOREACH, that run at the same time. */
  readonly jobs: number;
  readonly adapter: string | null;
  readonly model: string | null;
  readonly profiles: Readonly<Record<string, WorkflowProfile>>;
  readonly project: string | null;
  readonly cwd: string;
  readonly umask: number;
  readonly parentSessionId: string | null;
  /** The last request of another machine to resume this run. */
  readonly resumedBy?: string;
  /** The client or the session that has cancelled this run. */
  readonly cancelledBy?: string | undefined;
  readonly state: WorkflowRunState;
  readonly error: WorkflowError | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** The result of a run: the declared outputs, or its text. */
export type PartResult = { readonly values: Readonly<Record<string, unknown>> } | { readonly text: string };

/** One run of a step, either of one of its agents or (null) of the goal itself. */
export interface Part extends Readonly<Omit<WorkflowStepRun, 'run_id' | 'session_id' | 'machine' | 'error'>> {
  readonly runId: string;
  readonly result: PartResult | null;
  readonly error: WorkflowError | null;
  /** True while the run waits for a person's answer without a running program. */
  readonly asks: boolean;
}

export interface StepProgress {
  readonly id: string;
  readonly state: WorkflowStepState;
  readonly parts: readonly Part[];
  /** Id of the item of an ASK after it was asked, and its question with the variables filled in. */
  readonly itemId: string | null;
  readonly question: string | null;
  /** Deadline of an ASK with TIMEOUT (milliseconds since the epoch). */
  readonly until: number | null;
  readonly values: Readonly<Record<string, unknown>> | null;
  readonly result: string | readonly string[] | null;
  readonly error: WorkflowError | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface Progress {
  readonly head: Head;
  /** Derived from `head.workflow`. */
  readonly plan: Plan;
  /** One entry for each step of the plan. */
  readonly steps: readonly StepProgress[];
}

export type WorkflowInput =
  /** One of the workflow's runs has ended. */
  | { readonly kind: 'run_over'; readonly run: RunEnd }
  /** One of the workflow's runs waits for an answer, or continues. */
  | { readonly kind: 'run_asks'; readonly runId: string; readonly asks: boolean }
  /** One of the workflow's runs could not be created. */
  | { readonly kind: 'not_started'; readonly runId: string; readonly error: NonNullable<Run['error']> }
  /** A question was answered; `answer` is null if it was declined. */
  | { readonly kind: 'answered'; readonly itemId: string; readonly answer: string | null; readonly by: string }
  /** The question could not be opened as an item. */
  | { readonly kind: 'not_asked'; readonly itemId: string; readonly message: string }
  /** The question was not answered in time. */
  | { readonly kind: 'timed_out'; readonly itemId: string }
  /** `by`: the client or the session that has cancelled it. */
  | { readonly kind: 'cancelled'; readonly by?: string }
  /** The run is resumed. `from`: the first step to run again; null keeps all completed steps. */
  | { readonly kind: 'resumed'; readonly from: string | null; readonly jobs: number };

export type RunEnd = Pick<Run, 'id' | 'state' | 'result_text' | 'result_data' | 'error'>;

export type WorkflowEffect =
  /** Starts this run if it was not started yet. Otherwise its end is reported. */
  | { readonly kind: 'run'; readonly request: PartRequest }
  /**
   * Opens the question as an item if it was not opened yet. Otherwise its answer is reported. `until`: the deadline,
   * after which `timed_out` is sent.
   */
  | {
      readonly kind: 'ask';
      readonly itemId: string;
      readonly question: string;
      readonly choices: readonly string[];
      readonly until: number | null;
    }
  | { readonly kind: 'cancel_run'; readonly runId: string; readonly by?: string }
  | { readonly kind: 'withdraw'; readonly itemId: string };

export interface PartRequest {
  readonly runId: string;
  readonly stepId: string;
  /** The agent of the goal's part; null if the part is the goal's own prompt. */
  readonly agent: string | null;
  /** The prompt with its variables filled in. */
  readonly prompt: string;
  readonly outputs: readonly Output[];
  readonly blueprint: string | null;
  readonly profile: string | null;
  readonly timeoutMs: number | null;
  /** Maximum cost in US dollars. */
  readonly budget: number | null;
  /** Null for the machine of the workflow. */
  readonly place: MachineSelector | null;
}

/** The clock and the ids that a decision needs. */
export interface Means {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `time` as an RFC 3339 timestamp, for events. */
  readonly at: string;
  readonly newRunId: () => string;
  readonly newItemId: () => string;
}

export interface WorkflowDecision {
  /** The same object if the input changes nothing. */
  readonly aggregate: Progress;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly WorkflowEffect[];
  /** Why the input changes nothing. Absent if it was handled. */
  readonly ignored?: string;
}

const STEP_OVER: ReadonlySet<WorkflowStepState> = new Set(['completed', 'skipped']);

/** True if the step ended in a way that lets dependent steps begin. */
export const isStepDone = ({ state }: Pick<StepProgress, 'state'>): boolean => STEP_OVER.has(state);

/** Returns the state of a step that has not begun. */
export const unbegun = (id: string): StepProgress => ({
  id,
  state: 'waiting',
  parts: [],
  itemId: null,
  question: null,
  until: null,
  values: null,
  result: null,
  error: null,
  startedAt: null,
  endedAt: null,
});

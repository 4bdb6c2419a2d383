/**
 * The aggregate of one run: its complete state, the inputs that change it, and the effects of a decision. run.ts
 * contains the rules.
 */
import type { Run, RunError, RunUsage, SchemaError } from '../../protocol/index.js';
import type { Decided } from '../decided.js';

/** The state of a run. */
export interface RunAggregate {
  readonly run: Run;
  /** Arguments for its program, in addition to those of the adapter. */
  readonly args: readonly string[];
  readonly umask: number;
  /** Set while the run is being ended: the error it gets when its program has ended. */
  readonly ending: RunError | null;
  /** The client or the session that has cancelled it; undefined if orchd ends it. */
  readonly endedBy?: string;
  /**
   * For a run that an agent started: its spawn_agent call as JSON (null for `run.start`). `callback`: the parent waits,
   * wants a callback at the end, or has received it.
   */
  readonly spawn?: { readonly call: string | null; readonly callback: 'waited' | 'wanted' | 'told' };
  /**
   * Names of the tools that its agent is offered and may call. Undefined: no tools are offered, and every known tool
   * may be called.
   */
  readonly tools?: readonly string[];
  /**
   * Set if the agent has a terminal, with one session for all attempts. `keep`: the session continues after the run.
   * `isLeft`: the run has released its session.
   */
  readonly interactive?: { readonly keep: boolean; readonly isLeft?: true };
  /** The tool call that is the run's result. */
  readonly submission?: Submission;
  /** Questions that its agent asked in place of a result. Undefined once the answers were sent. */
  readonly questions?: readonly RunQuestion[];
  /** Number of consecutive waits for a used-up account without a known end. */
  readonly blindWaits: number;
}

export interface RunQuestion {
  readonly itemId: string;
  readonly question: string;
  /** The answer for the agent; null until the question is answered. */
  readonly answer: string | null;
}

export interface Submission {
  readonly callId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  /** RFC 3339. */
  readonly at: string;
}

export type RunInput =
  /** A job slot is free. */
  | { readonly kind: 'turn'; readonly sessionId: string; readonly time: number }
  /** The program of the last attempt could not be started. */
  | { readonly kind: 'not_started'; readonly error: RunError; readonly time: number }
  /** The program has ended, with this outcome. `nextSessionId`: the session for a retry. */
  | { readonly kind: 'ended'; readonly end: AttemptEnd; readonly nextSessionId: string; readonly time: number }
  /** The agent has made the required call. A repeated call is detected before this input. */
  | {
      readonly kind: 'submitted';
      readonly callId: string | null;
      readonly data: Submission['data'];
      readonly time: number;
    }
  /** A question of its agent was answered; null: declined. */
  | { readonly kind: 'answered'; readonly itemId: string; readonly answer: string | null; readonly time: number }
  | { readonly kind: 'limit_over'; readonly time: number }
  | { readonly kind: 'timed_out'; readonly time: number }
  /** `by`: as `endedBy` of the aggregate. */
  | { readonly kind: 'cancelled'; readonly by?: string | undefined; readonly time: number };

export type RunInputOf<K extends RunInput['kind']> = Extract<RunInput, { kind: K }>;

export interface AttemptEnd {
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  /** The agent's final text; null if there is none. */
  readonly text: string | null;
  readonly agentSessionId: string | null;
  readonly usage: RunUsage | null;
  /** The error and its type; null for none. */
  readonly error: RunError | null;
  /** The account is used up until `resetsAt` (milliseconds since the epoch; null if unknown). */
  readonly limit: { readonly resetsAt: number | null } | null;
  /** Null if there was no result to check. */
  readonly verdict: AttemptVerdict | null;
  /** True if the program of an interactive run has ended, so that it cannot be told about schema errors. */
  readonly hasLeft?: boolean;
  /**
   * Questions of the attempt, and whether its final text is one. Undefined if there are none. In a terminal, answers
   * arrive before the attempt ends.
   */
  readonly asked?: { readonly questions: readonly RunQuestion[]; readonly isLast: boolean };
}

export type AttemptVerdict =
  /** `human`: the markdown part of an envelope. */
  | { readonly ok: true; readonly value: Run['result_data']; readonly human: string | null }
  /** `prompt`: the text that tells the agent about the errors. */
  | { readonly ok: false; readonly errors: readonly SchemaError[]; readonly prompt: string };

export type RunEffect =
  /**
   * Start the last attempt's session if it was not started yet. `resume`: the conversation to resume; null for a new
   * one.
   */
  | { readonly kind: 'begin'; readonly resume: string | null; readonly timeoutMs: number | null }
  | { readonly kind: 'kill'; readonly sessionId: string; readonly by?: string }
  /** Send the input `limit_over` at this time. */
  | { readonly kind: 'wait'; readonly until: number }
  /** Send the input `answered` for each answer, including existing ones. */
  | { readonly kind: 'ask'; readonly itemIds: readonly string[] }
  /** The questions that the agent asked in its session need no answer any more. */
  | { readonly kind: 'withdraw'; readonly sessionId: string }
  /** Queue the run for a free job slot. */
  | { readonly kind: 'queue' };

export type RunDecision = Decided<RunAggregate, RunEffect>;

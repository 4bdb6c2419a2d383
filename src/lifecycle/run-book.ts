/**
 * The book of one run: all that is kept of it; what can happen to it; and what follows from a decision. See run.ts for
 * the rules.
 */
import type { NewEventOf, Run, RunError, RunUsage, SchemaError } from '../protocol/index.js';

/** All that is kept of a run. */
export interface RunBook {
  readonly run: Run;
  /** Of its program, beside what the adapter adds. */
  readonly args: readonly string[];
  readonly umask: number;
  /** It is being ended, and this is what it ends with when its program is gone. */
  readonly ending: RunError | null;
  /**
   * Of a run that an agent has started: its call of spawn_agent as JSON (null for `run.start`), and whether the parent
   * waits, is to be told of the end, or was told.
   */
  readonly spawn?: { readonly call: string | null; readonly callback: 'waited' | 'wanted' | 'told' };
  /** What its agent is offered, and may call; not there: nothing is offered, and it may call what it finds. */
  readonly tools?: readonly string[];
  /**
   * Its agent has a terminal, and one session for all attempts; `keep`: that goes on when the run is over. `isLeft`: it
   * was left or ended.
   */
  readonly interactive?: { readonly keep: boolean; readonly isLeft?: true };
  /** The call that is its result. */
  readonly submission?: Submission;
  /** What its agent asked in place of a result; not there once the answers are on their way to it. */
  readonly questions?: readonly RunQuestion[];
  /** How often in a row the account was used up, nobody knows until when. */
  readonly blindWaits: number;
}

export interface RunQuestion {
  readonly itemId: string;
  readonly question: string;
  /** As the agent is told it; null while nobody has answered. */
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
  /** There is room for it. */
  | { readonly kind: 'turn'; readonly sessionId: string; readonly time: number }
  /** The program of the last attempt could not be started. */
  | { readonly kind: 'not_started'; readonly error: RunError; readonly time: number }
  /** It has ended, and this is what it said. `nextSessionId`: for a retry. */
  | { readonly kind: 'ended'; readonly end: AttemptEnd; readonly nextSessionId: string; readonly time: number }
  /** Its agent has made the call that it owes. Who has made it already is told so before this. */
  | {
      readonly kind: 'submitted';
      readonly callId: string | null;
      readonly data: Submission['data'];
      readonly time: number;
    }
  /** Something that its agent asked is answered; null: declined. */
  | { readonly kind: 'answered'; readonly itemId: string; readonly answer: string | null; readonly time: number }
  | { readonly kind: 'limit_over'; readonly time: number }
  | { readonly kind: 'timed_out'; readonly time: number }
  | { readonly kind: 'cancelled'; readonly time: number };

export interface AttemptEnd {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  /** The agent's final text; null where it said nothing. */
  readonly text: string | null;
  readonly agentSessionId: string | null;
  readonly usage: RunUsage | null;
  /** What went wrong, and of which kind that is. */
  readonly error: RunError | null;
  /** Its account may not go on until then (milliseconds since the epoch; null: nobody knows). */
  readonly limit: { readonly resetsAt: number | null } | null;
  /** Null where nothing was to be judged. */
  readonly verdict: AttemptVerdict | null;
  /** The program of an interactive run has ended: it cannot be told what does not fit. */
  readonly hasLeft?: boolean;
  /**
   * What it asked meanwhile, and whether its final text asks; not there for nothing. In a terminal the answer is waited
   * for before the end.
   */
  readonly asked?: { readonly questions: readonly RunQuestion[]; readonly isLast: boolean };
}

export type AttemptVerdict =
  /** `human`: the markdown of an envelope. */
  | { readonly ok: true; readonly value: Run['result_data']; readonly human: string | null }
  /** `prompt`: what the agent is told of it. */
  | { readonly ok: false; readonly errors: readonly SchemaError[]; readonly prompt: string };

export type RunEffect =
  /** Start the last attempt's session, unless that was done; null: a new conversation. */
  | { readonly kind: 'begin'; readonly resume: string | null; readonly timeoutMs: number | null }
  | { readonly kind: 'kill'; readonly sessionId: string }
  /** Say `limit_over` then. */
  | { readonly kind: 'wait'; readonly until: number }
  /** Say `answered` when they are; or say it now. */
  | { readonly kind: 'ask'; readonly itemIds: readonly string[] }
  /** What the agent asked in its session needs no answer any more. */
  | { readonly kind: 'withdraw'; readonly sessionId: string }
  /** Ask for its turn. */
  | { readonly kind: 'queue' };

export interface RunDecision {
  readonly book: RunBook;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly RunEffect[];
}

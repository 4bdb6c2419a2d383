/**
 * The aggregate of one session: its complete state, the inputs that change it, and the effects of a decision.
 *
 * An item is open → answered | withdrawn. Its answer is accepted → written → acknowledged, and may be stalled in
 * between. The aggregate contains items that are open or whose answer is being delivered; the others leave it.
 * decide.ts contains the rules.
 */
import type { Finding, HookAsk } from '../../ears/index.js';
import type { Answer, Item, NewEventOf, RevivalHow, Session } from '../../protocol/index.js';
import type { Decided } from '../decided.js';
import type { Evidence, Standing } from './session-state.js';
import type { Budget, UsageReport } from './usage.js';

export interface TrackedItem {
  readonly item: Item;
  /** The turn in which the item was opened. Only later input can have answered it. */
  readonly openedTurn: number;
  /** Id of the write that types the answer; null for an answer that a person typed. */
  readonly writeId: string | null;
  /** The turn that the answer's write began; null before the write. */
  readonly answeredTurn: number | null;
  /** Set when the answer's last byte was written to the pty. */
  readonly isWritten?: true;
  /**
   * Set while the input line is watched for the answer. Output of the program is then no evidence that the program
   * accepted it.
   */
  readonly isWatched?: true;
  /** Set if the program was seen to wait for a line when the answer was typed. Its next output is then evidence. */
  readonly hadWaited?: true;
  /** Set once the agent works on the answer, until its transcript has it (acknowledge.ts); `evidence` of that work. */
  readonly unrecorded?: { readonly evidence: string };
  /** For an attention item: the keys that choose each option; null for an option that only a person can choose. */
  readonly keys?: readonly (string | null)[];
  /** For an attention item with a waiting hook: true for each option that the hook decides. The others are pressed. */
  readonly decides?: readonly boolean[];
  /** The dialog's labels, if the item has other options or another order. */
  readonly labels?: readonly string[];
}

/** The question of a waiting hook. */
export interface TrackedAsk extends HookAsk {
  readonly text: string;
  /** The item that represents it; null while a dialog about something else is open. */
  readonly itemId: string | null;
}

export interface SessionAggregate {
  readonly session: Session;
  readonly standing: Standing;
  readonly items: readonly TrackedItem[];
  /** The questions of waiting hooks. Undefined if there are none. */
  readonly asks?: readonly TrackedAsk[];
}

export type Input =
  | {
      readonly kind: 'finding';
      readonly finding: Finding;
      readonly messageId: string;
      readonly itemId: string;
      /** Undefined if there is no budget. */
      readonly budget?: Budget | undefined;
    }
  /** The usage is known from the output of a program without a terminal. */
  | ({ readonly kind: 'used' } & UsageReport)
  | {
      readonly kind: 'answered';
      readonly itemId: string;
      readonly answer: Answer;
      readonly writeId: string;
      readonly time: number;
    }
  | {
      readonly kind: 'stalled';
      readonly writeId: string;
      readonly reason: StallReason;
      /** The text that the screen shows in the input line. */
      readonly seen?: string;
      readonly time: number;
    }
  /**
   * The answer is about to be typed. From now on, only the input line on the screen shows whether the program accepted
   * it.
   */
  | { readonly kind: 'watched'; readonly writeId: string }
  /** The program waits for a line, and this answer is about to be typed. */
  | { readonly kind: 'had_waited'; readonly writeId: string }
  /** The text of an unsubmitted answer is no longer in the input line, although Enter was not pressed. */
  | { readonly kind: 'unwatched'; readonly writeId: string }
  /** The screen has shown that the program took the answer. */
  | { readonly kind: 'taken'; readonly writeId: string; readonly evidence: string; readonly time: number }
  /** The time is over in which the agent could record the answer. */
  | { readonly kind: 'settled'; readonly writeId: string; readonly time: number }
  | {
      readonly kind: 'notified';
      readonly itemId: string;
      readonly title: string;
      readonly text: string;
      readonly time: number;
    }
  /**
   * A task or a workflow asks a question in this session. For a task, the session is its planner, which has ended with
   * the question. For a workflow, it is the workflow's own session.
   */
  | {
      readonly kind: 'question_opened';
      readonly itemId: string;
      readonly by: { readonly task_id: string } | { readonly workflow_id: string };
      readonly question: string;
      readonly options: readonly string[];
      readonly time: number;
    }
  /** The task was cancelled, the workflow ended, or the run continues without the answer. */
  | {
      readonly kind: 'question_withdrawn';
      readonly itemId: string;
      readonly reason: 'task_cancelled' | 'workflow_ended' | 'run_went_on';
      readonly time: number;
    }
  /** No caller waits for the answer any more. It is typed: as `typed`, or as its text if `typed` is not set. */
  | { readonly kind: 'released'; readonly itemId: string; readonly typed?: string }
  /** The waiting hook is gone. */
  | { readonly kind: 'unasked'; readonly callId: string; readonly time: number }
  /** The session's run has its result, and the daemon is about to end its program. */
  | { readonly kind: 'concluded'; readonly time: number }
  /** A client ends the program; `by` is null if that failed. */
  | (Extract<Evidence, { kind: 'ending' }> & { readonly time: number })
  /** A shell shows its prompt, or runs a command again. */
  | { readonly kind: 'idle'; readonly isIdle: boolean; readonly time: number }
  | { readonly kind: 'renamed'; readonly name: string; readonly time: number }
  /** `tags`: all its tags from now on. */
  | { readonly kind: 'tagged'; readonly tags: readonly string[]; readonly time: number }
  /** A person takes the answer back before its typing begins. */
  | { readonly kind: 'taken_back'; readonly itemId: string; readonly by: string; readonly time: number }
  /** The session was in the trash, where its open items are withdrawn. */
  | { readonly kind: 'restored'; readonly time: number }
  | { readonly kind: 'resized'; readonly cols: number; readonly rows: number }
  | { readonly kind: 'lost'; readonly reason: string; readonly time: number }
  | { readonly kind: 'revived'; readonly revival: Revival; readonly time: number };

/** Describes the restart of an ended session's program. */
export interface Revival {
  readonly how: RevivalHow;
  readonly command: readonly string[];
  readonly pid: number;
  readonly size: Session['size'];
  /** Id of the resumed or new conversation; null if it is not known yet. */
  readonly agentSessionId: string | null;
  readonly transcript: Session['transcript'];
  /** Journal position of the start. */
  readonly from: number;
}

/** `known`: this call was handled before; `reused`: its id belongs to another call. */
export type CallOutcome = { readonly messageId: string } | 'known' | 'reused';

export type StallReason = Extract<NewEventOf, { event_type: 'answer_stalled' }>['reason'];

export type Effect =
  /** A tool call was handled, and its outcome is on disk. */
  | { readonly kind: 'called'; readonly callId: string; readonly outcome: CallOutcome }
  /** The questions of waiting hooks have changed. */
  | { readonly kind: 'asks' }
  /** Type the answer; idempotent by `writeId`. */
  | { readonly kind: 'write'; readonly itemId: string; readonly writeId: string }
  /** Apply `settled` after RECORD_MS. */
  | { readonly kind: 'settle'; readonly writeId: string }
  /** Sends the default answer at `time`, unless the item was answered before. */
  | {
      readonly kind: 'deadline';
      readonly itemId: string;
      readonly text: string;
      readonly time: number;
    };

export interface Decision extends Decided<SessionAggregate, Effect> {
  /** The new state of all changed items, including those that left the aggregate. */
  readonly items: readonly Item[];
}

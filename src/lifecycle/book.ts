/**
 * The book of one session: all that is kept of it; what can happen to it; and what follows from a decision.
 *
 * An item is open → answered | withdrawn; its answer accepted → written → acknowledged, or stalled on the way. The book
 * holds items that are open or whose answer is under way; the others are history and leave it. See decide.ts for the
 * rules.
 */
import type { Finding, HookAsk } from '../ears/index.js';
import type { Answer, Item, NewEventOf, RevivalHow, Session } from '../protocol/index.js';
import type { Standing } from './session-state.js';

export interface BookItem {
  readonly item: Item;
  /** The turn in which it was opened: only a later input can have answered it. */
  readonly openedTurn: number;
  /** The write that types the answer, once there is one; null for an answer that a person typed. */
  readonly writeId: string | null;
  /** The turn that the answer's write began, once it has. */
  readonly answeredTurn: number | null;
  /** The answer's last byte is in the pty. */
  readonly isWritten?: true;
  /** The input line is watched for it: that the program prints something is no evidence. */
  readonly isWatched?: true;
  /** Of an attention: what is pressed for each of its options; null where only a person can choose it. */
  readonly keys?: readonly (string | null)[];
  /** Of an attention for which a hook waits: whether it decides an option, for each of them; the others are pressed. */
  readonly decides?: readonly boolean[];
  /** As its dialog has them, where the item offers them in another order, or others beside them. */
  readonly labels?: readonly string[];
}

/** What a hook waits for. */
export interface BookAsk extends HookAsk {
  readonly text: string;
  /** The item that it is, or is a part of; null while a dialog stands that is about something else. */
  readonly itemId: string | null;
}

export interface Book {
  readonly session: Session;
  readonly standing: Standing;
  readonly items: readonly BookItem[];
  /** Not there for none. */
  readonly asks?: readonly BookAsk[];
}

export type Input =
  | {
      readonly kind: 'finding';
      readonly finding: Finding;
      readonly messageId: string;
      readonly itemId: string;
    }
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
      /** The words that the screen shows in the input line. */
      readonly seen?: string;
      readonly time: number;
    }
  /** The answer is about to be typed. Only what the screen shows of the input line says whether the program took it. */
  | { readonly kind: 'watched'; readonly writeId: string }
  /** The text of an answer that was not submitted is gone from the input line, and no Enter was pressed. */
  | { readonly kind: 'unwatched'; readonly writeId: string }
  /** The screen has shown that the program took the answer. */
  | { readonly kind: 'taken'; readonly writeId: string; readonly evidence: string; readonly time: number }
  | {
      readonly kind: 'notified';
      readonly itemId: string;
      readonly title: string;
      readonly text: string;
      readonly time: number;
    }
  /**
   * A task asks: its planner, which was this session, has ended with a question. Or a workflow does: this is its
   * session.
   */
  | {
      readonly kind: 'posed';
      readonly itemId: string;
      readonly by: { readonly task_id: string } | { readonly workflow_id: string };
      readonly question: string;
      readonly options: readonly string[];
      readonly time: number;
    }
  /** The task is cancelled, the workflow over, or the run goes on without the answer. */
  | {
      readonly kind: 'unposed';
      readonly itemId: string;
      readonly reason: 'task_cancelled' | 'workflow_ended' | 'run_went_on';
      readonly time: number;
    }
  /** No caller waits for the answer any more: it is typed, as `typed` if that differs from its text. */
  | { readonly kind: 'released'; readonly itemId: string; readonly typed?: string }
  /** The hook that waited is gone. */
  | { readonly kind: 'unasked'; readonly callId: string; readonly time: number }
  /** Its run has its result, and its program is about to be ended. */
  | { readonly kind: 'concluded'; readonly time: number }
  /** A client ends the program; `by` is null if it could not. */
  | { readonly kind: 'ending'; readonly by: string | null; readonly time: number }
  /** A shell is at its prompt, or runs a command again. */
  | { readonly kind: 'idle'; readonly isIdle: boolean; readonly time: number }
  | { readonly kind: 'renamed'; readonly name: string; readonly time: number }
  | { readonly kind: 'resized'; readonly cols: number; readonly rows: number }
  | { readonly kind: 'lost'; readonly reason: string; readonly time: number }
  | { readonly kind: 'revived'; readonly revival: Revival; readonly time: number };

/** How an ended session goes on: with another start of its program. */
export interface Revival {
  readonly how: RevivalHow;
  readonly command: readonly string[];
  readonly pid: number;
  readonly size: Session['size'];
  /** The conversation that goes on, or the one that begins; null where that is not known yet. */
  readonly agentSessionId: string | null;
  readonly transcript: Session['transcript'];
  /** Journal position of the start. */
  readonly from: number;
}

/** `known`: this call was heard before; `reused`: its id belongs to another one. */
export type CallOutcome = { readonly messageId: string } | 'known' | 'reused';

export type StallReason =
  | 'not_reading'
  | 'not_ready'
  | 'agent_busy'
  | 'composer_busy'
  | 'dialog_gone'
  | 'dialog_stays'
  | 'session_lost'
  | 'session_ended'
  | 'write_failed'
  | 'nobody_waits'
  | 'not_submitted'
  | 'disk_full'
  | 'delayed';

export type Effect =
  /** A tool call has been heard, and what became of it is on disk. */
  | { readonly kind: 'called'; readonly callId: string; readonly outcome: CallOutcome }
  /** What hooks wait for has changed. */
  | { readonly kind: 'asks' }
  /** Type the answer; idempotent by `writeId`. */
  | { readonly kind: 'write'; readonly itemId: string; readonly writeId: string }
  /** Answer by itself at `time`, unless somebody was first. */
  | {
      readonly kind: 'deadline';
      readonly itemId: string;
      readonly text: string;
      readonly time: number;
    };

export interface Decision {
  readonly book: Book;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly Effect[];
  /** Items that changed, as they are now, the ones that left the book included. */
  readonly items: readonly Item[];
}

/**
 * Findings: what the ears conclude from a session's journal, in its order. The daemon decides by them.
 *
 * Every finding is a function of the journal up to `at`: a replay gives the same findings.
 */
import type { Ear, Message, Origin, RejectReason, RunUsage, SchemaError, Source } from '../protocol/index.js';
import type { Hint } from './grammar/index.js';

interface FindingBase {
  /** Journal position after the record that caused it. Findings with `at <= cursor` are already in the event log. */
  readonly at: number;
  /** Time of that record, in milliseconds since the epoch. */
  readonly time: number;
}

interface Heard extends FindingBase {
  readonly source: Source;
  readonly ear: Ear;
  readonly origin: Origin;
  readonly turn: number;
  /** The line on which the text begins, from 1, counted from the journal's start. */
  readonly line: number;
}

export interface MessageFinding extends Heard {
  readonly kind: 'message';
  readonly message: Message;
  /** The number of the message among the messages of its turn, from 1. */
  readonly ordinal: number;
  /**
   * False if a part of the message is a guess, because it was read from a painted screen. Absent if the text is exact.
   */
  readonly exact?: false;
}

export interface RejectedFinding extends Heard {
  readonly kind: 'rejected';
  readonly reason: RejectReason;
  readonly errors: readonly SchemaError[];
  readonly raw: string;
  readonly truncated?: true;
}

/** A line that resembles a message but is not one. */
export interface HintFinding extends FindingBase, Hint {
  readonly kind: 'hint';
  readonly ear: Ear;
  readonly origin: Origin;
  readonly turn: number;
}

/** A tool was called. Its message was reported just before this, or had been printed already. */
export interface CalledFinding extends FindingBase {
  readonly kind: 'called';
  readonly callId: string;
  /** True if the caller waits for the answer. The answer is then returned to the call instead of being typed. */
  readonly waits: boolean;
  /**
   * The message by its identity: turn, ordinal, and the position where it was reported. `known`: the same call was
   * heard before. `reused`: its id belongs to another call, and nothing was reported.
   */
  readonly message: { readonly turn: number; readonly ordinal: number; readonly toldFrom: number } | 'known' | 'reused';
}

/** An answer is about to be given to the tool call that waits for it. `isTaken`: the caller has received it. */
export interface GivenFinding extends FindingBase {
  readonly kind: 'given';
  readonly callId: string;
  readonly isTaken: boolean;
  readonly origin: Origin;
}

/** An input was submitted (Enter): a new turn. */
interface TurnFinding extends FindingBase {
  readonly kind: 'turn';
  readonly turn: number;
  /** The write of orchd that submitted it, or null for a person's keystrokes. */
  readonly writeId: string | null;
}

/**
 * The program printed something other than the echo of typed text. Reported once at the start and once in each turn.
 */
interface BusyFinding extends FindingBase {
  readonly kind: 'busy';
  readonly turn: number;
  /**
   * True if the program printed no finished line between its last message and the input. It had then waited for this
   * input.
   */
  readonly hadWaited: boolean;
}

/** The last byte of a write of orchd is in the PTY (`written`), or never will be (`write_failed`). */
export interface WriteFinding extends FindingBase {
  readonly kind: 'written' | 'write_failed';
  readonly writeId: string;
  /** Journal positions of the write's two records. */
  readonly from: number;
  readonly to: number;
}

interface PauseFinding extends FindingBase {
  readonly kind: 'paused' | 'resumed';
  readonly reason: 'journal_full' | 'disk_full';
}

export interface ExitFinding extends FindingBase {
  readonly kind: 'exited';
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly leftOpen: boolean;
  readonly escaped: readonly { readonly pid: number; readonly command: string }[];
}

/**
 * A better ear has heard the exact text of a message that was reported before. Everything else of the message stays.
 */
export interface CorrectedFinding extends FindingBase {
  readonly kind: 'corrected';
  /** The corrected message by its identity: turn, ordinal, and the position where it was reported. */
  readonly turn: number;
  readonly ordinal: number;
  readonly toldFrom: number;
  readonly message: Message;
  readonly ear: Ear;
  readonly origin: Origin;
}

/**
 * How reliable the session's transcript is. `waiting`: only its name is known. `lost`: the screen showed a message that
 * it lacks.
 */
export interface TranscriptFinding extends FindingBase {
  readonly kind: 'transcript';
  readonly health: 'waiting' | 'healthy' | 'lost';
  readonly agentSessionId: string | null;
}

/** The requests to the model that the agent's transcript names, all together since the session's program began. */
interface UsageFinding extends FindingBase {
  readonly kind: 'usage';
  readonly usage: RunUsage;
}

/** The agent has accepted an input: the input is in the agent's transcript. */
export interface PromptFinding extends FindingBase {
  readonly kind: 'prompt';
  readonly text: string;
  /** The turn of the input that it repeats; absent for a text that orchd has not typed like this. */
  readonly turn?: number;
}

/**
 * The program works on a turn, or waits for the next one, according to its screen, title, transcript or hook.
 * `unknown`: it paints, but no rule tells what that means. Reported when it changes.
 */
export interface ActivityFinding extends FindingBase {
  readonly kind: 'activity';
  readonly activity: 'busy' | 'idle' | 'unknown';
  readonly source: 'title' | 'screen' | 'transcript' | 'hook';
}

/** The program itself asks for the person, by a dialog, a notification or a bell. */
export interface AttentionFinding extends FindingBase {
  readonly kind: 'attention';
  /** `question`: asked before the program takes the prompt of a run, and answered by a line. */
  readonly source: 'dialog' | 'notification' | 'bell' | 'hook' | 'question';
  readonly text: string;
  /** The choices of the person. `keys`: the keys that choose this option; null if only a person can choose it. */
  readonly choices: readonly { readonly label: string; readonly keys: string | null }[];
  readonly origin: Origin;
  /** Present for a hook that waits for the decision. */
  readonly ask?: HookAsk;
}

/** A question of a hook that waits: the hook prints the decision, and the agent continues with it. */
export interface HookAsk {
  readonly callId: string;
  /**
   * The text that the agent's own dialog shows for this question. A dialog without it is about something else. Null if
   * unknown.
   */
  readonly shows: string | null;
  /** The possible decisions. After a choice that ends in a blank, the person adds their own words. */
  readonly choices: readonly string[];
}

/** The request for the person is over: the dialog has gone, something was typed, or the agent continued. */
export interface AttentionOverFinding extends FindingBase {
  readonly kind: 'attention_over';
  readonly source: AttentionFinding['source'];
  /** True if something was typed after the request began. */
  readonly wasTyped: boolean;
  /** Present if the text that orchd typed did not answer it: the program asks again, and the next finding says so. */
  readonly isAgain?: true;
}

export type Finding =
  | CorrectedFinding
  | TranscriptFinding
  | PromptFinding
  | UsageFinding
  | ActivityFinding
  | AttentionFinding
  | AttentionOverFinding
  | MessageFinding
  | RejectedFinding
  | HintFinding
  | CalledFinding
  | GivenFinding
  | TurnFinding
  | BusyFinding
  | WriteFinding
  | PauseFinding
  | ExitFinding;

/** A finding without its position in the journal and its time. */
export type Unplaced<F extends Finding> = F extends Finding ? Omit<F, 'at' | 'time'> : never;
export type UnplacedFinding = Unplaced<Finding>;

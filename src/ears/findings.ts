/**
 * Findings: what follows from a session's journal, in its order. The ears make them, decisions are taken on them.
 *
 * Every finding is a function of the journal up to `at`; a replay gives the same findings.
 */
import type { Ear, Message, Origin, RejectReason, SchemaError, Source } from '../protocol/index.js';
import type { Hint } from './hints.js';

interface FindingBase {
  /** Journal position after the record that made it known: findings with `at <= cursor` are already in the event log. */
  readonly at: number;
  /** Time of that record, milliseconds since the epoch. */
  readonly time: number;
}

interface Heard extends FindingBase {
  readonly source: Source;
  readonly ear: Ear;
  readonly origin: Origin;
  readonly turn: number;
  /** Line on which it begins, from 1, counted from the journal's start. */
  readonly line: number;
}

export interface MessageFinding extends Heard {
  readonly kind: 'message';
  readonly message: Message;
  /** Place among the messages of its turn, from 1. */
  readonly ordinal: number;
  /** Present if a part of it is a guess: it was read off a painted screen. */
  readonly exact?: false;
}

export interface RejectedFinding extends Heard {
  readonly kind: 'rejected';
  readonly reason: RejectReason;
  readonly errors: readonly SchemaError[];
  readonly raw: string;
  readonly truncated?: true;
}

/** A line that looks like a message and is none. */
export interface HintFinding extends FindingBase, Hint {
  readonly kind: 'hint';
  readonly ear: Ear;
  readonly origin: Origin;
  readonly turn: number;
}

/** A tool was called. Its message was told just before this, or had been printed already. */
export interface CalledFinding extends FindingBase {
  readonly kind: 'called';
  readonly callId: string;
  /** The caller waits for the answer: it is not typed. */
  readonly waits: boolean;
  /**
   * By its identity: turn, ordinal, and where it was told to come from. `known`: this very call was heard before; `reused`: its id
   * belongs to another call, and nothing was told.
   */
  readonly message: { readonly turn: number; readonly ordinal: number; readonly toldFrom: number } | 'known' | 'reused';
}

/** What was answered is about to be given to the tool call that waits for it; `taken`: the caller has it. */
export interface GivenFinding extends FindingBase {
  readonly kind: 'given';
  readonly callId: string;
  readonly isTaken: boolean;
  readonly origin: Origin;
}

/** An input was submitted (Enter): a new turn. */
export interface TurnFinding extends FindingBase {
  readonly kind: 'turn';
  readonly turn: number;
  /** The write of orchd that submitted it; null for a person's keystrokes. */
  readonly writeId: string | null;
}

/** The program printed something that is not the echo of what was typed: the first time, and the first time in each turn. */
export interface BusyFinding extends FindingBase {
  readonly kind: 'busy';
  readonly turn: number;
  /** Whether the program had printed no finished line between its last message and the input: it had waited for it. */
  readonly hadWaited: boolean;
}

/** The last byte of a write of orchd is in the pty, or never will be. */
export interface WriteFinding extends FindingBase {
  readonly kind: 'written' | 'write_failed';
  readonly writeId: string;
  /** Journal positions of the write's two records. */
  readonly from: number;
  readonly to: number;
}

export interface PauseFinding extends FindingBase {
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

/** The exact text of a message that was told before, from a better ear; everything else of it stays. */
export interface CorrectedFinding extends FindingBase {
  readonly kind: 'corrected';
  /** The message that it corrects, by its identity: turn, ordinal, and where it was told to come from. */
  readonly turn: number;
  readonly ordinal: number;
  readonly toldFrom: number;
  readonly message: Message;
  readonly ear: Ear;
  readonly origin: Origin;
}

/** What the transcript of the session is worth. `waiting`: only its name is known. `lost`: the screen has heard what it lacks. */
export interface TranscriptFinding extends FindingBase {
  readonly kind: 'transcript';
  readonly health: 'waiting' | 'healthy' | 'lost';
  readonly agentSessionId: string | null;
}

/** The agent has taken an input: it stands in its transcript. */
export interface PromptFinding extends FindingBase {
  readonly kind: 'prompt';
  readonly text: string;
}

/**
 * The program works on a turn, or waits for the next one, as its screen, its title, its transcript or a hook says; `unknown`: it paints, and nobody
 * knows how to read that. Told when it changes.
 */
export interface ActivityFinding extends FindingBase {
  readonly kind: 'activity';
  readonly activity: 'busy' | 'idle' | 'unknown';
  readonly source: 'title' | 'screen' | 'transcript' | 'hook';
}

/** The program itself asks for the person: a dialog, a notification, a bell. */
export interface AttentionFinding extends FindingBase {
  readonly kind: 'attention';
  readonly source: 'dialog' | 'notification' | 'bell' | 'hook';
  readonly text: string;
  /** `keys`: what is typed to choose it; null where only a person can. */
  readonly choices: readonly { readonly label: string; readonly keys: string | null }[];
  readonly origin: Origin;
  /** Of a hook that waits for the decision. */
  readonly ask?: HookAsk;
}

/** What a hook waits for: the agent goes on by what it prints. */
export interface HookAsk {
  readonly callId: string;
  /** What the agent's own dialog shows of it: one that does not is about something else. Null: nothing tells. */
  readonly shows: string | null;
  /** What the hook can decide; one that ends in a blank takes words behind it. */
  readonly choices: readonly string[];
}

/** What asked for the person does so no more: the dialog is gone, something was typed, the agent went on. */
export interface AttentionOverFinding extends FindingBase {
  readonly kind: 'attention_over';
  readonly source: AttentionFinding['source'];
  /** Something was typed since it began. */
  readonly wasTyped: boolean;
  /** What orchd has typed did not answer it: it asks the same once more, as the finding behind this one says. */
  readonly isAgain?: true;
}

export type Finding =
  | CorrectedFinding
  | TranscriptFinding
  | PromptFinding
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

/** A finding before it has its place in the journal. */
export type Told = Finding extends infer F ? (F extends Finding ? Omit<F, 'at' | 'time'> : never) : never;

/**
 * Findings: what follows from a session's journal, in its order. The ears make them, decisions are taken on them.
 *
 * Every finding is a function of the journal up to `at`; a replay gives the same findings.
 */
import type { Ear, Message, Origin, RejectReason, SchemaError, Source } from '../protocol/index.js';

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
}

export interface RejectedFinding extends Heard {
  readonly kind: 'rejected';
  readonly reason: RejectReason;
  readonly errors: readonly SchemaError[];
  readonly raw: string;
  readonly truncated?: true;
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

export type Finding =
  | MessageFinding
  | RejectedFinding
  | TurnFinding
  | BusyFinding
  | WriteFinding
  | PauseFinding
  | ExitFinding;

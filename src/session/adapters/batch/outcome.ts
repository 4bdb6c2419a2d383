/**
 * Determines the outcome of a turn of any program: errors, limits and lost conversations, from the items of its lines.
 *
 * In:   the whole output of the program, and what its adapter has read from it.
 * Out:  an outcome. Never throws.
 *
 * Only the text of an error is searched for limits, never the agent's own words.
 */
import type { BatchOutcome, BatchOutput, BatchUsage } from '../adapter.js';
import { asObject, type Json, parseRecord } from '../record.js';
import { limitIn } from './limits.js';

interface ReportedOutcome {
  readonly text: string | null;
  readonly agentSessionId: string | null;
  readonly usage: BatchUsage | null;
  /** The error in the program's own words. */
  readonly error: string | null;
  /** Details that help to recognize the error but need not be shown: a status, a whole response. */
  readonly evidence?: string;
  /** True if it reported the end of the turn; otherwise the output is incomplete. */
  readonly hasEnded: boolean;
}

/** The messages of the seven agents for a missing conversation. Each was produced with an id that does not exist. */
const FORGOTTEN =
  /No conversation found with session ID|no rollout found for|Error resuming session: Invalid session identifier|^No saved session found with ID|No session, task, or name matched|^No session found matching|Session not found|No previous sessions found/m;
/** Number of lines of stderr in an error. */
const LAST_LINES = 8;
const MAX_ERROR_CHARS = 2_000;
/** Number of characters at the end of an error that are searched: a reset time is near the end. */
const SEARCHED_CHARS = 16_000;
const CONTROLS = /\x1b\[[0-9;]*[A-Za-z]/g;

export function outcomeOf(output: BatchOutput, reported: ReportedOutcome): BatchOutcome {
  const { text, agentSessionId, usage } = reported;
  const error = errorOf(output, reported);
  const said = [reported.error, reported.evidence, output.stderr]
    .map((words) => (words ?? '').slice(-SEARCHED_CHARS).replace(CONTROLS, ''))
    .join('\n');
  return {
    text,
    agentSessionId,
    usage,
    error: error?.slice(0, MAX_ERROR_CHARS) ?? null,
    limit: error === null ? null : limitIn(said, output.now),
    isForgotten: error !== null && FORGOTTEN.test(said),
  };
}

function errorOf({ stderr, exitCode }: BatchOutput, { error, text, hasEnded }: ReportedOutcome): string | null {
  if (error !== null && error.trim() !== '') return error;
  const last = lastLines(stderr);
  if (error !== null || exitCode !== 0) {
    return last || (exitCode === null ? 'ended by a signal' : `ended with exit code ${exitCode}, and said no more`);
  }
  if (!hasEnded) return last || 'ended before its turn was over';
  return text === null ? last || 'ended without a message' : null;
}

function lastLines(stderr: string): string {
  const lines = stderr.slice(-SEARCHED_CHARS).replace(CONTROLS, '').split(/\r?\n/);
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .join('\n');
}

/**
 * Returns the objects in its lines. Lines that are not JSON are left out, and lines that match `skip` are not parsed.
 */
export const recordsOf = (stdout: string, skip?: RegExp): Json[] =>
  stdout.split('\n').flatMap((line) => {
    const record = skip?.test(line) ? null : parseRecord(line);
    return record === null ? [] : [record];
  });

const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Returns the sum of the values that are known; null if none is. */
export function sum(...values: readonly unknown[]): number | null {
  const numbers = values.flatMap((value) => asNumber(value) ?? []);
  return numbers.length === 0 ? null : numbers.reduce((all, one) => all + one, 0);
}

/** Returns a nested value by the names of its fields. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => asObject(inner)?.[name], value);
}

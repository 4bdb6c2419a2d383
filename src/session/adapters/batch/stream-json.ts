/**
 * `stream-json`: the lines that Claude Code prints, and Qwen Code in the same format. `json` is the same objects, alone
 * or in a list. Pure.
 */
import type { Reading } from '../adapter.js';
import { asText, IDLE, type Json, NOTHING, objectsIn, parseRecord, reading, text } from '../record.js';
import { recordsOf } from './outcome.js';

/** Matches the beginning of a line with a fragment of a message. */
const PARTIAL = /^\{"type":"stream_event"/;

/**
 * Returns the agent's own words in a record, without those of sub-agents and those that the program writes in its name.
 */
type WordsOf = (record: Json) => readonly string[];

export const isOwnMessage = (record: Json): boolean =>
  record['type'] === 'assistant' && typeof record['parent_tool_use_id'] !== 'string';

/** @param timeOf  Returns the time of a record, if the program prints it. */
export function readStreamLine(line: string, wordsOf: WordsOf, timeOf: (record: Json) => unknown): Reading {
  const record = PARTIAL.test(line) ? null : parseRecord(line);
  if (record === null) return NOTHING;
  if (record['type'] === 'result') return reading(timeOf(record), [IDLE]);
  const agentSessionId = asText(record['session_id']);
  if (record['type'] === 'system' && record['subtype'] === 'init' && agentSessionId !== null) {
    return reading(timeOf(record), [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
  }
  return reading(timeOf(record), wordsOf(record).flatMap(text));
}

export function streamRecords(stdout: string): readonly Json[] {
  const whole = stdout.startsWith('[') ? (parseRecord(`{"all":${stdout}}`)?.['all'] ?? null) : null;
  return whole === null ? recordsOf(stdout, PARTIAL) : objectsIn(whole);
}

export const sessionIdIn = (records: readonly Json[]): string | null =>
  records.flatMap(({ session_id }) => asText(session_id) ?? []).at(-1) ?? null;

/** Returns the text of the result, or the agent's last words if the result has none. */
export function finalText(records: readonly Json[], result: Json | null, wordsOf: WordsOf): string | null {
  const said = records.flatMap(wordsOf).findLast((words) => words !== '') ?? null;
  return (asText(result?.['result']) || null) ?? said;
}

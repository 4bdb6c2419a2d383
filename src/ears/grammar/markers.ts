/**
 * Markers: the legacy one-line messages.
 *
 *     :ORCHESTRATOR: TASK COMPLETE            :ORCHESTRATOR: TASK COMPLETE - all tests pass
 *     :ORCHESTRATOR: QUESTION - which db?     :ORCHESTRATOR: BLOCKED — no access
 *
 * A marker is a whole line with at most three blanks before it, in exactly these letters. `-`, `–`, `—` or `:` stands
 * before its text, with or without blanks. The documentation's own placeholders never count.
 */
import { isBlankCode, MAX_INDENT } from './line-cursor.js';

export type MarkerType = 'TASK_COMPLETE' | 'QUESTION' | 'BLOCKED';

interface Marker {
  readonly type: MarkerType;
  /** The text behind the marker, trimmed. Empty if there is none. */
  readonly text: string;
}

const NAME = ':ORCHESTRATOR:';
const WORDS: readonly (readonly [MarkerType, readonly string[]])[] = [
  ['TASK_COMPLETE', ['TASK', 'COMPLETE']],
  ['QUESTION', ['QUESTION']],
  ['BLOCKED', ['BLOCKED']],
];
const SEPARATORS = '-–—:';
const PLACEHOLDERS: readonly string[] = ['<question>', '<reason>'];

/** @param line  A whole line. */
export function parseMarker(line: string): Marker | null {
  let start = 0;
  while (line[start] === ' ') start++;
  if (start > MAX_INDENT || !line.startsWith(NAME, start)) return null;
  for (const [type, words] of WORDS) {
    const text = textAfter(line, start + NAME.length, words);
    if (text !== null) return PLACEHOLDERS.includes(text) ? null : { type, text };
  }
  return null;
}

/**
 *     :ORCHESTRATOR:  TASK COMPLETE  -  text
 *                     ^ from
 * @returns The text behind the words; null if the words are missing, or something else follows them.
 */
function textAfter(line: string, from: number, words: readonly string[]): string | null {
  let at = from;
  for (const word of words) {
    const start = skipBlanks(line, at);
    if (start === at || !line.startsWith(word, start)) return null;
    at = start + word.length;
  }
  at = skipBlanks(line, at);
  if (at === line.length) return '';
  return SEPARATORS.includes(line[at] ?? ' ') ? line.slice(at + 1).trim() : null;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBlankCode(line.charCodeAt(at))) at++;
  return at;
}

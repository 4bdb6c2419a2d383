/** Submitted input: what the text that was typed before an Enter means for the conversation on the screen. Pure. */
import { CONTROL_SEQUENCES } from '../../protocol/index.js';

/** True for an input that begins an empty conversation. */
export const isEmptying = (text: string): boolean => /^\/(?:clear|new|reset)\b/.test(text);

/**
 * Returns true if the submitted input brings back an old conversation; null for a bare Enter, which may choose one from
 * a list.
 *
 * @param isUnknown True if unknown keystrokes were typed before the Enter.
 */
export function asksForHistory(text: string, isUnknown: boolean): boolean | null {
  if (text !== '') return /^\/(?:resume|continue|sessions?|history|load|chat|fork|rewind|undo)\b/.test(text);
  return isUnknown ? false : null;
}

/** Returns the last quoted words of a command line, which may be a prompt; without any, the line. */
export function quotedIn(line: string): string {
  const quoted = [...line.matchAll(/(["'])(.+?)\1/g)].map(([, , words = '']) => words);
  return quoted.findLast((words) => /\S\s+\S/.test(words)) ?? line;
}

/** Returns typed text without control sequences, such as arrow keys. */
export const submittedText = (typed: string): string => typed.replace(CONTROL_SEQUENCES, '').trim();

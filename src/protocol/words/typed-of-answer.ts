import type { Answer } from '../generated/types.js';
import { displayText } from '../text/index.js';

/**
 * Returns the text that was typed into the program for an answer. It is quoted, so that blanks at its ends and line
 * feeds are visible. Returns null if the typed text equals the answer.
 */
export function typedOfAnswer({ text, typed }: Pick<Answer, 'text' | 'typed'>): string | null {
  return typed === undefined || typed === text ? null : displayText(JSON.stringify(typed));
}

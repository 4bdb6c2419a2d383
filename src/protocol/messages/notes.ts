/** Formats notes in parentheses after a message on one line. */

/** Returns, for example, `Test file not found (src/a.test.ts, recoverable)`. */
export function withNotes(text: string, notes: readonly string[]): string {
  const all = notes.filter(Boolean).join(', ');
  return all === '' ? text : text === '' ? all : `${text} (${all})`;
}

export const countWords = (list: unknown, noun: string): string =>
  Array.isArray(list) && list.length > 0 ? `${list.length} ${noun}${list.length === 1 ? '' : 's'}` : '';

/** Says if the agent continues after an error; '' if the message does not say so. */
export const recoverableWords = (recoverable: unknown): string =>
  typeof recoverable !== 'boolean' ? '' : recoverable ? 'recoverable' : 'not recoverable';

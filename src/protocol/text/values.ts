/** Small tests and words for values of any kind. Pure. */

/** True for an object that is not null and no array: what JSON calls an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the entries of a record that have a value. */
export const withValues = <T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter((pair): pair is [string, T] => pair[1] !== undefined));

/** Returns `1 step` or `2 steps`. */
export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Returns the position of the next line feed, or the length of the text if there is none. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Escapes a text of another program for use in a regular expression. */
export const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, (char) => `\\${char}`);

/** Returns the text without blanks, so that wraps, tabs and indentation make no difference. Pure. */
export const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

/** Blanks, signs of quotes and prompts, and borders. */
const DECORATION = /[\s\u2500-\u259f\u2800>❯›»|•●⏺]+/gu;

/** Returns the text without blanks, and without the signs and borders that programs paint around quoted text. */
export const withoutDecoration = (text: string): string => text.replace(DECORATION, '');

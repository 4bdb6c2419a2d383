/**
 * The segments of a status line, as the configuration names them: `name state | open keys`. Segments after `|` are on
 * the right. Pure.
 */
import { nearest } from '../text/index.js';

export interface Segments<T extends string> {
  readonly left: readonly T[];
  readonly right: readonly T[];
}

export const ATTACH_SEGMENTS = [
  'name',
  'state',
  'mode',
  'size',
  'link',
  'branch',
  'changes',
  'cost',
  'tags',
  'folder',
  'open',
  'place',
  'guests',
  'keys',
] as const;
export const TUI_SEGMENTS = ['sessions', 'workflows', 'open', 'cost', 'health'] as const;
/** Segments of `orchd status --line`. */
export const LINE_SEGMENTS = ['sessions', 'open', 'waiting', 'health'] as const;

export type AttachSegment = (typeof ATTACH_SEGMENTS)[number];
export type TuiSegment = (typeof TUI_SEGMENTS)[number];
export type LineSegment = (typeof LINE_SEGMENTS)[number];

/** Returns a description of valid texts if a name is unknown or `|` is there twice; null for a valid text. */
export function segmentProblem(text: string, names: readonly string[]): string | null {
  const parts = text.split('|');
  const unknown = wordsOf(text.replaceAll('|', ' ')).find((word) => !names.includes(word));
  if (unknown !== undefined) {
    const near = nearest(unknown, names);
    return near === null ? `names of ${names.join(', ')}` : `'${near}' in place of '${unknown}'`;
  }
  return parts.length > 2 ? 'segments with at most one | between left and right' : null;
}

/**
 * Returns the segments that a text names.
 *
 * @param text  A text in which `segmentProblem` finds no problem.
 */
export function segmentsOf<T extends string>(text: string, names: readonly T[]): Segments<T> {
  const [left = '', right = ''] = text.split('|');
  const known = (part: string): T[] => wordsOf(part).filter((word): word is T => names.some((name) => name === word));
  return { left: known(left), right: known(right) };
}

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

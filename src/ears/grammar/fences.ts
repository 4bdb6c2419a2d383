/**
 * Fences: how fenced code opens and closes, and when a fence that was opened by accident is forgotten.
 *
 *     "  ~~~~ orchestrator-message key=value"
 *      indent, length of the run, first word of the info string; after backticks the info string holds none
 *
 * A message block is a fence too; the grammar decides what is done with its content.
 */
import { MAX_FOREIGN_CHARS, MAX_FOREIGN_LINES, MAX_SKIPPED_CHARS } from '../bounds.js';
import { isBlankCode, type LineCursor } from './line-cursor.js';

/** The first word of a message block's info string. */
export const OWN_INFO = 'orchestrator-message';

export interface FenceLeaf {
  readonly kind: 'fence';
  readonly char: '`' | '~';
  readonly length: number;
  /** Columns before the opening fence. That many are removed from each content line. */
  readonly indent: number;
  /** True for a message block that is not quoted. The grammar limits its size; `isStray` does not. */
  isOwn: boolean;
  /** True for a message block that grew too long. It is skipped up to its end, or to the next message block. */
  isSkipped: boolean;
  lines: number;
  chars: number;
}

/** Matches a line that opens a message block, with any indent. */
export const OWN_FENCE = new RegExp(`^[ \\t]*(?:\`{3,}|~{3,})[ \\t]*${OWN_INFO}(?:[ \\t]|$)`);

/**
 * @param at Index of the first fence character.
 * @returns Null if there are too few of them, or if the line is text.
 */
export function openFence(cursor: LineCursor, at: number, char: '`' | '~'): FenceLeaf | null {
  const end = runEnd(cursor.text, at, char);
  if (end - at < 3 || (char === '`' && cursor.text.includes('`', end))) return null;
  const { text } = cursor;
  let start = end;
  while (start < text.length && isBlankCode(text.charCodeAt(start))) start++;
  const after = start + OWN_INFO.length;
  const isOwn = text.startsWith(OWN_INFO, start) && (after === text.length || isBlankCode(text.charCodeAt(after)));
  return createFence(char, end - at, cursor.indent(), isOwn);
}

export function createFence(char: '`' | '~', length: number, indent: number, isOwn: boolean): FenceLeaf {
  return { kind: 'fence', char, length, indent, isOwn, isSkipped: false, lines: 0, chars: 0 };
}

/** True if a text closes the fence, beginning at `start`. */
export function closesFence(fence: FenceLeaf, text: string, start: number): boolean {
  const end = runEnd(text, start, fence.char);
  if (end - start < fence.length) return false;
  for (let at = end; at < text.length; at++) if (!isBlankCode(text.charCodeAt(at))) return false;
  return true;
}

export function endsSkipping(fence: FenceLeaf, line: string): boolean {
  return fence.chars > MAX_SKIPPED_CHARS || OWN_FENCE.test(line);
}

/** True if a fence or an HTML block was probably opened by accident, because it is too long. */
export function isStray(leaf: { lines: number; chars: number }): boolean {
  return leaf.lines >= MAX_FOREIGN_LINES || leaf.chars > MAX_FOREIGN_CHARS;
}

function runEnd(text: string, start: number, char: string): number {
  const code = char.charCodeAt(0);
  let end = start;
  while (end < text.length && text.charCodeAt(end) === code) end++;
  return end;
}

/**
 * Fences: how fenced code opens and closes, and when one that was not meant is forgotten.
 *
 *     "  ~~~~ orchestrator-message key=value"
 *      indent, length of the run, first word of the info string; after backticks the info string holds none
 *
 * A block of ours is a fence too; what is done with its content is the grammar's business.
 */
import { MAX_FOREIGN_CHARS, MAX_FOREIGN_LINES, MAX_SKIPPED_CHARS } from './bounds.js';
import { isBlankCode, type LineCursor } from './line-cursor.js';

/** The first word of our own fences' info string. */
export const OWN_INFO = 'orchestrator-message';

export interface FenceLeaf {
  readonly kind: 'fence';
  readonly char: '`' | '~';
  readonly length: number;
  /** Columns before the opening fence; as many are taken from each content line. */
  readonly indent: number;
  /** A block of ours that is not quoted: a message. It is bounded by its reader, not here. */
  isOwn: boolean;
  /** It was ours and grew too long: skipped to its end, or to the next block of ours. */
  isSkipped: boolean;
  lines: number;
  chars: number;
}

/** The opening of a block of ours, wherever it stands: nothing else looks like it. */
export const OWN_FENCE = new RegExp(`^[ \\t]*(?:\`{3,}|~{3,})[ \\t]*${OWN_INFO}(?:[ \\t]|$)`);

/** @param at  Where its first character stands. @returns Null if it is too short, or text. */
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

/** Whether a text closes the fence, from `start` on. */
export function closesFence(fence: FenceLeaf, text: string, start: number): boolean {
  const end = runEnd(text, start, fence.char);
  if (end - start < fence.length) return false;
  for (let at = end; at < text.length; at++) if (!isBlankCode(text.charCodeAt(at))) return false;
  return true;
}

export function endsSkipping(fence: FenceLeaf, line: string): boolean {
  return fence.chars > MAX_SKIPPED_CHARS || OWN_FENCE.test(line);
}

/** A fence, or an HTML block, was opened by accident: it goes on for too long. */
export function isStray(leaf: { lines: number; chars: number }): boolean {
  return leaf.lines >= MAX_FOREIGN_LINES || leaf.chars > MAX_FOREIGN_CHARS;
}

function runEnd(text: string, start: number, char: string): number {
  const code = char.charCodeAt(0);
  let end = start;
  while (end < text.length && text.charCodeAt(end) === code) end++;
  return end;
}

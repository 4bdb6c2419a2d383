/**
 * Box rows: reads what a program prints as lines within a box. Pure.
 *
 *     ┌──────────── Answer ────────────┐      begins a document
 *     │                                │
 *     │   ```orchestrator-message      │      rows of the document, without their borders
 *     │   { "type": "QUESTION", …      │
 *     └────────────────────────────────┘      ends it
 *
 * In:   printed rows in order.
 * Out:  what each row is for the grammar.
 *
 * The border of a table (`┬`) begins no box. A program wraps a long string of a message at the width of its box. Its
 * parts are joined by a blank, so such a message is not exact.
 */
import { readJson, type Utterance } from '../../../ears/index.js';

type BoxRow =
  | { readonly kind: 'begin' | 'end' | 'outside' }
  /** A row of the box; `text` is without borders and padding. */
  | { readonly kind: 'inside'; readonly text: string }
  /** A row after a box that has no lower border. */
  | { readonly kind: 'after' };

const TOP = /^\s*[┌╭╔┏][─━═]{2}[^┬╤╦┳]*[┐╮╗┓]\s*$/u;
const SIDES = /^\s*[│┃║](.*)[│┃║]\s*$/u;
const BOTTOM = /^\s*[└╰╚┗].*[┘╯╝┛]\s*$/u;
/** Columns between a border and its text. More of them are an indent. */
const PADDING = /^ {1,3}/;

/** @param isOpen  True if a box has begun. */
export function readBoxRow(text: string, isOpen: boolean): BoxRow {
  if (!isOpen) return { kind: TOP.test(text) ? 'begin' : 'outside' };
  const [, inside] = SIDES.exec(text) ?? [];
  if (inside !== undefined) return { kind: 'inside', text: inside.trimEnd().replace(PADDING, '') };
  return { kind: BOTTOM.test(text) ? 'end' : 'after' };
}

/** Joins strings of a message that the box has wrapped. */
export function joinWrapped(utterance: Utterance): Utterance {
  if (utterance.form !== 'fence' || readJson(utterance.text).ok) return utterance;
  const text = utterance.text.replace(/"(?:[^"\\]|\\[\s\S])*"/gu, (string) => string.replace(/ *\n */g, ' '));
  return readJson(text).ok ? { ...utterance, text, exact: false } : utterance;
}

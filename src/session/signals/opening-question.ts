/**
 * Opening question: tells if a program asks something before it takes a prompt, such as whether a folder is trusted or
 * how to sign in. For screens that no adapter reads. Pure.
 *
 *     Do you trust this folder? [y/N] ▏       the cursor stands behind a choice, a request for a secret or a name
 *     Press Enter to continue ▏               … or behind a request for a key
 *     ❯ 1. Yes, I trust it                    a list with a pointer
 *       2. No
 *     Enter to confirm · Esc to cancel        a last row that names the keys, Enter among them
 *
 * A prompt such as `> `, `say> `, `Your turn: ` or `What shall I do? ` is none of these: a text can be typed there.
 * A row asks for permission only if it can be answered with yes or no. So `What do you want to update? ` is a prompt,
 * and `Do you want to update? ` is a question. How to sign in is always a question.
 */

import { type DialogTraits, readDialog } from '../adapters/dialogs/dialog-reader.js';
import { readKeyLegend } from '../adapters/dialogs/key-legend.js';
import type { ScreenView } from '../adapters/index.js';

/** The rows of a screen, and where its cursor stands. */
export interface OpeningScreen {
  readonly rows: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
}

export interface OpeningQuestion {
  /** The rows of the question, with its options. */
  readonly text: string;
  /** The text before the cursor if it is a question of one row: it stays there while a person types the answer. */
  readonly line: string | null;
}

const LIST: DialogTraits = {
  pointer: '❯›▶→',
  border: null,
  isBoxed: false,
  top: null,
};
/** Also the signs that composers use. A number behind them makes it a list. */
const NUMBERED_LIST: DialogTraits = { ...LIST, pointer: '❯›▶→>●' };
const NUMBERED_POINTER = /^\s*[│┃║]?\s*[❯›▶→>●]\s+\d{1,2}[.)]\s+\S/u;
const LISTED = /^\s*[[(]?(\d{1,2}|[a-z])[.)\]:]\s+\S/iu;

const YES_NO = /[[(]\s*y(?:es)?\s*(?:[/|,]\s*n(?:o)?\b[^\])]*)?[\])]\s*[:?>]*$/iu;
const RANGE = /[[(]\s*\d{1,2}\s*(?:-|–|\.\.|\/|,)\s*\d{1,2}(?:\s*[/,]\s*\d{1,2})*\s*[\])]\s*[:?>]*$/u;
const KEY = /\b(?:press|hit)\s+<?\[?(?:enter|return|any key|a key|space|esc(?:ape)?)\b[^:]{0,60}$/iu;
/** A row that asks for a text and names the key that sends it: a place for a prompt. */
const KEY_SENDS =
  /\b(?:messages?|prompts?|questions?|tasks?|requests?|commands?|texts?|something|anything)\b.*\b(?:press|hit)\b|\bto\s+(?:send|submit)\b/iu;
const SECRET =
  /\b(?:pass(?:word|phrase|code)|api[ _-]?key|(?:access |auth(?:entication)? |bearer )?token|secret|pin|(?:one-time|verification|authori[sz]ation|device|login) code)\b(?:[^:?>]{0,60}[:?]|(?:\s+(?:for|of|from|to|here|again)\b[^:?>]{0,60})?\s*>)$/iu;
const NAME = /\b(?:user ?name|login|e-?mail(?: address)?|account)\s*:$/iu;
const CHOOSE = /\b(?:choose|select|pick|choice|selection|option|number)\b[^:?>]{0,60}[:?>]$/iu;
/** A sentence that begins with one of these verbs, or with a word that asks for yes or no before it. */
const PERMIT =
  /(?:^|[.!,;:)\]–—-])\W*(?:(?:and|but|so|or|please|really|still)\s+)*(?:(?:do|does|did|would|will|shall|should|can|could|may|is|are|have|ok(?:ay)?|ready|want|you|i|we)\b[^?]{0,120}\b)?(?:trust|continue|proceed|accept|agree|allow|overwrite|sure|update|upgrade|telemetry)\b[^?]{0,120}\?\s*[:>]?$/iu;
const SIGN_IN = /\b(?:log ?in|sign ?in|authenticate|authori[sz]e)\b[^?]{0,120}\?\s*[:>]?$/iu;
const ON_ROW: readonly ((row: string) => boolean)[] = [
  ...[YES_NO, RANGE, SECRET, NAME, PERMIT, SIGN_IN].map((asks) => (row: string) => asks.test(row)),
  asksForKey,
];
/** Labels of keys under a composer. */
const SENDS = /^(?:send|submit|newline|new line|insert|chat)\b/iu;
/** Maximum number of rows above the cursor in which the options of a question are listed. */
const LIST_ROWS = 14;
/** Maximum number of rows of a question that has no list. */
const TEXT_ROWS = 6;

/** @returns  Null if the screen shows no question, or nothing. */
export function openingQuestion({ rows, cursor }: OpeningScreen): OpeningQuestion | null {
  const line = (rows[cursor.y] ?? '').slice(0, cursor.x).trimEnd();
  const isBehind = cursor.visible && line.trim() !== '';
  if (isBehind && ON_ROW.some((asks) => asks(line))) {
    return { text: textAbove(rows, cursor.y), line };
  }
  const list = isBehind && CHOOSE.test(line) ? listAbove(rows, cursor.y) : null;
  if (list !== null) return { text: rowsOf(rows, list, cursor.y), line };
  return pictured(rows);
}

/** Returns the question of a program that paints: a list with a pointer, or a last row that names the keys. */
function pictured(rows: readonly string[]): OpeningQuestion | null {
  const last = rows.findLastIndex((row) => row.trim() !== '');
  if (last < 0) return null;
  const isNumbered = rows.some((row) => NUMBERED_POINTER.test(row));
  const dialog = readDialog(viewOf(rows), isNumbered ? NUMBERED_LIST : LIST);
  if (dialog) {
    const text = [dialog.text.replace(/^…\n/, ''), ...dialog.choices.map(({ label }) => label)].join('\n');
    return { text, line: null };
  }
  const row = rows[last] ?? '';
  const keys = readKeyLegend(row);
  const isComposer = keys?.some(({ label }) => SENDS.test(label)) ?? false;
  const isKey = !isComposer && (keys !== null || asksForKey(row.trimEnd()));
  return isKey ? { text: textAbove(rows, last), line: null } : null;
}

function asksForKey(row: string): boolean {
  return KEY.test(row) && !KEY_SENDS.test(row);
}

const viewOf = (rows: readonly string[]): ScreenView => ({
  rows: rows.map((text) => ({ text, bright: text, ground: () => 0 })),
  title: '',
  cursor: null,
});

/** Returns the rows up to `at` that belong together: no empty row is between them. */
function textAbove(rows: readonly string[], at: number): string {
  const from = rows.findLastIndex((row, y) => y < at && row.trim() === '');
  return rowsOf(rows, Math.max(from + 1, at - TEXT_ROWS + 1), at);
}

const rowsOf = (rows: readonly string[], from: number, to: number): string =>
  rows
    .slice(Math.max(0, from), to + 1)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .join('\n');

/** Returns the row above a list of two options or more; null if no such list is above `at`. */
function listAbove(rows: readonly string[], at: number): number | null {
  const listed = rows.flatMap((row, y) => (y < at && y >= at - LIST_ROWS && LISTED.test(row) ? y : []));
  const [first] = listed;
  return first === undefined || listed.length < 2
    ? null
    : Math.max(
        0,
        rows.findLastIndex((row, y) => y < first && row.trim() !== ''),
      );
}

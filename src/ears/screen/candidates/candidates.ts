/**
 * Candidates: finds what could be a message in the rows of a screen, from top to bottom.
 *
 *       {                              an object, also behind a line number or `<output>`
 *       :ORCHESTRATOR: QUESTION - …    a marker
 *       orchestrator-message           a label: a bare info string, what is left of a fence in most programs
 *
 * These are no candidates:
 *
 * - text in a visible fence: programs that hide fences show only quoted ones;
 * - text in a box, or behind a branch glyph (a tool's output);
 * - text below the row with which another speaker's words begin, if the program shows such a row;
 * - JSON that is not a message.
 *
 * Other modules decide whether a candidate is new, typed by the person, or valid.
 */
import { isMessageType } from '../../../protocol/index.js';
import { beforeEnd, type MarkerType, parseMarker } from '../../grammar/index.js';
import { readJson } from '../../json.js';
import { columns, type PlainRow, type Rows } from '../rows/index.js';
import type { FenceEndsByPrompt } from './fence-ends.js';
import type { NearMiss } from './near-misses.js';
import { ABOVE_ROWS, type ObjectMemo } from './object-memo.js';
import {
  isBesideText,
  MAX_LEFT_OVER_DISTANCE,
  type RepairBudget,
  readWrapped,
  type WrappedJson,
} from './wrapped-json.js';

export type Candidate = {
  /** Index of the candidate's first row, and of the row after its last. */
  readonly row: number;
  readonly end: number;
  /** False if a part of the text is a guess, for example a blank at the end of a wrapped row. */
  readonly isExact: boolean;
  /** True if a row within the candidate is empty: its text may not be painted yet. */
  readonly hasGap: boolean;
  /**
   * True inside a visible `orchestrator-message` fence of an unknown program. The candidate then counts as an example,
   * unless it has the session's key.
   */
  readonly isShown?: true;
  /** Index of the row in which a block began that ends directly above the candidate. */
  readonly fencedFrom?: number;
} & (
  | { readonly form: 'fence'; readonly text: string; readonly isSure: boolean }
  | {
      readonly form: 'envelope';
      readonly text: string;
      readonly json: string;
      readonly human: string;
      readonly isSure: boolean;
    }
  | {
      readonly form: 'marker';
      readonly text: string;
      readonly type: MarkerType;
      readonly words: string;
      /** The texts without the rows that are taken for its rest because of their width. */
      readonly shorter: readonly string[];
    }
);

export interface ReadingRules {
  readonly cols: number;
  /** True if the program shows the fences of its own messages. */
  readonly fences: 'swallowed' | 'printed';
  /** True if the agent's own words are shown in boxes. */
  readonly isBoxed: boolean;
  /** True if the program has an adapter. */
  readonly isKnown: boolean;
  /** Typed texts, by which their echo is recognized: see echoed-rows.ts. */
  readonly typed: readonly string[];
  /** Objects that the previous reading found in rows of this width, and the number of its first row. */
  readonly memo: ObjectMemo;
  readonly base: number;
  /**
   * For each prompt, by the number of its row: the rows of the fences above it that were left open and that end there.
   */
  readonly fenceEnds: FenceEndsByPrompt;
}

export interface Reading {
  readonly candidates: readonly Candidate[];
  /** Incomplete objects and envelopes: the index of the first row, and the number of characters read. */
  readonly openings: readonly Opening[];
  readonly nearMisses: readonly NearMiss[];
  /** Rows of the visible fences that have not ended. */
  readonly openFences: readonly number[];
  /**
   * Indices of first and last rows. Rows outside of these spans do not change the reading unless they are notable.
   * Inside of a branch only indents and empty rows count.
   */
  readonly spans: readonly Span[];
  readonly branches: readonly Span[];
}

export type Span = readonly [from: number, to: number];

export interface Opening {
  readonly row: number;
  readonly chars: number;
}

/**
 * Maximum number of rows that are read as parts of objects. Without it, unclosed objects that begin within each other
 * would be read again and again. After the limit, the reader searches for no further object.
 */
export const MAX_OBJECT_ROWS = 16_000;
/** A row with more characters than this counts as several rows. */
export const OBJECT_ROW_CHARS = 32;
/** If a visible fence is not closed within this many rows, it is ignored. */
export const MAX_FENCE_ROWS = 200;
export const INFO = 'orchestrator-message';
export const LABEL = /^`{0,2}\s*orchestrator-message\s*`{0,2}$/;
/** Matches a prompt's glyph. The person, not the agent, has written a fence that follows it. */
export const FENCE = /^(\s*(?:[>❯›»$!]\s+)?)(`{3,}|~{3,})\s*([\w-]*)\s*$/u;
export const NUMBERED = /^(\s*\d{1,5}\s+)(?=[`~{])/;
const OBJECT = /^(\s*(?:\d{1,5}\s+)?)\{/;
const TAGGED = /^(\s*(?:#{1,6} )?<output>\s*)(\{|$)/;

export function isLabel(row: PlainRow): boolean {
  return LABEL.test(row.text.trim());
}

export function rowAbove(rows: Rows, at: number): PlainRow | undefined {
  let above = at - 1;
  while (above >= 0 && rows[above]?.text.trim() === '' && at - above < 4) above--;
  return rows[above];
}

export function indentOf(row: PlainRow | undefined): number {
  return row ? row.text.length - row.text.trimStart().length : 0;
}

// ── objects ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The candidate that begins at a row, and the index of the first row that was not read for it. */
interface ObjectReading {
  readonly found: Candidate | Opening | null;
  readonly end: number;
}

export function readObject(
  rows: Rows,
  at: number,
  to: number,
  rules: ReadingRules,
  spans: Span[],
  repairs: RepairBudget,
): ObjectReading {
  const text = rows[at]?.text ?? '';
  const tagged = TAGGED.exec(text);
  if (tagged) {
    const envelope = readEnvelope(rows, at, to, rules, tagged, repairs);
    // An envelope may be completed by a later row, so the search continues after the end of its object.
    const end = envelope && 'end' in envelope && envelope.human !== '' ? envelope.end : to;
    spans.push([at - ABOVE_ROWS, end]);
    return { found: envelope, end };
  }
  const object = OBJECT.exec(text);
  if (!object) return { found: null, end: at + 1 };
  const json = readWrapped(rows, at, (object[1] ?? '').length, rules.cols, repairs);
  // An object that is not whole may be repaired with the help of rows above.
  const above = json.kind === 'closed' && !json.hasGap ? ABOVE_ROWS : MAX_LEFT_OVER_DISTANCE;
  spans.push([at - above, json.endRow]);
  const found = json.kind === 'closed' ? closedObject(rows, at, to, json) : { row: at, chars: json.chars };
  return { found, end: json.endRow + 1 };
}

function closedObject(rows: Rows, at: number, to: number, json: WrappedJson & { kind: 'closed' }): Candidate | null {
  if (json.endRow >= to) return null;
  const rest = (rows[json.endRow]?.text ?? '').slice(json.endColumn).trim();
  if (rest !== '' && !rest.startsWith('</output>')) return null;
  const above = rowAbove(rows, at);
  const value = readJson(json.text);
  const end = json.endRow + 1;
  const type =
    value.ok && typeof value.value === 'object' && value.value !== null && 'type' in value.value
      ? value.value.type
      : null;
  const isOurs = isMessageType(type);
  const data = isOurs && value.ok ? (value.value as { data?: unknown }).data : undefined; // `isOurs` proves an object
  const isSure = isOurs && typeof data === 'object' && data !== null;
  if (!isSure && !isOurs && !(above && LABEL.test(above.text.trim()))) return null;
  return { form: 'fence', row: at, end, text: json.text, isSure, isExact: json.isExact, hasGap: json.hasGap };
}

/**
 *     <output>{ …         the object may begin on the row below
 *     }
 *     text for people
 *     </output>           the tag itself may be broken by a wrap: `</` `output>`
 */
function readEnvelope(
  rows: Rows,
  at: number,
  to: number,
  rules: ReadingRules,
  tagged: RegExpExecArray,
  repairs: RepairBudget,
): (Candidate & { readonly form: 'envelope' }) | Opening | null {
  let start = at;
  let column = (tagged[1] ?? '').length;
  if (tagged[2] === '') {
    start = at + 1;
    while (start < to && rows[start]?.text.trim() === '') start++;
    const object = OBJECT.exec(rows[start]?.text ?? '');
    if (!object) return start >= to ? { row: at, chars: 0 } : null;
    column = (object[1] ?? '').length;
  }
  const json = readWrapped(rows, start, column, rules.cols, repairs);
  if (json.kind !== 'closed') return { row: at, chars: json.chars };
  const reading = readJson(json.text);
  if (!reading.ok || typeof reading.value !== 'object' || reading.value === null) return null;
  const value = reading.value as Readonly<Record<string, unknown>>; // the check above proves an object
  const isMessage = isMessageType(value['type']) && typeof value['data'] === 'object' && value['data'] !== null;
  if (!isMessage && !('status' in value)) return null;
  const human: string[] = [];
  let end = -1;
  let isSplit = false;
  for (let row = json.endRow; row < to; row++) {
    if (hasTextBeside(rows, row, rules)) return null;
    const line = (rows[row]?.text ?? '').slice(row === json.endRow ? json.endColumn : 0).trim();
    const joined = isSplit ? `${human.pop() ?? ''}${line}` : line;
    isSplit = /<(?:\/(?:o(?:u(?:t(?:p(?:ut?)?)?)?)?)?)?$/.test(joined);
    const before = beforeEnd(joined);
    if (before === null) {
      human.push(joined);
      continue;
    }
    human.push(before.trimEnd());
    end = row + 1;
    break;
  }
  if (end === -1 && !isMessage) return { row: at, chars: json.text.length + human.join('').length };
  const words = human
    .join('\n')
    .replace(/^\s*(?:---\s*\n)?/, '')
    .trim();
  return {
    form: 'envelope',
    row: at,
    end: end === -1 ? json.endRow + 1 : end,
    text: json.text,
    json: json.text,
    human: end === -1 ? '' : words,
    isSure: true,
    // The program treats an envelope as prose, and its renderer removes signs such as `*` and `__`.
    isExact: false,
    hasGap: json.hasGap,
  };
}

// ── markers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 *     :ORCHESTRATOR: QUESTION - May I remove version one of the public API
 *     now?              a row goes on below if its first word would not have fitted above
 */
export function readMarker(rows: Rows, at: number, to: number, rules: ReadingRules): Candidate | null {
  const first = rows[at]?.text.trim() ?? '';
  if (!parseMarker(first) || hasTextBeside(rows, at, rules)) return null;
  const limit = Math.min(rules.cols - MARGIN, Math.max(rules.cols * 0.6, widestAround(rows, at, to)));
  const shorter: string[] = [];
  let text = first;
  let end = at + 1;
  while (end < to) {
    const above = rows[end - 1];
    const next = rows[end];
    const word = next?.text.trim().split(/\s/)[0] ?? '';
    if (!above || !next || next.isOrnament || word === '' || PROMPT_SIGN.test(next.text)) break;
    if (next.isNotable) {
      // The row may begin a message, or hold words of the marker that did not fit above.
      if (next.isSoft || columns(above.text) + 1 + columns(word) > limit) return null;
      break;
    }
    if (hasTextBeside(rows, end, rules)) return null;
    if (next.isSoft) text += next.text;
    else if (columns(above.text) + 1 + columns(word) > limit) {
      shorter.push(text);
      const isSplitWord = /[-/]$/.test(above.text) && !/\s[-–—/]$/.test(above.text);
      text += `${isSplitWord ? '' : ' '}${next.text.trim()}`;
    } else break;
    end++;
  }
  const marker = parseMarker(text);
  // The words of a question are not painted yet, or stand in a row that is not recognized as theirs.
  if (marker?.text === '' && marker.type !== 'TASK_COMPLETE' && !rules.isKnown) return null;
  // As in an envelope, the renderer may have removed signs.
  return (
    marker && {
      form: 'marker',
      row: at,
      end,
      isExact: false,
      hasGap: false,
      text,
      type: marker.type,
      words: marker.text,
      shorter,
    }
  );
}

/** Matches the row in which a program waits for a line. */
const PROMPT_SIGN = /^\s*[>❯›»➜$%#]\s*$/u;

/** True if the row may have another text beside it, as the row above or below has. */
const hasTextBeside = (rows: Rows, at: number, { cols }: ReadingRules): boolean =>
  isBesideText(rows, at, at - 1, cols) || isBesideText(rows, at, at + 1, cols);

/**
 * Number of columns that programs leave free at the right. A word that would fit only with them moves to the next row.
 */
const MARGIN = 5;
export const AROUND = 40;

function widestAround(rows: Rows, at: number, to: number): number {
  let widest = 0;
  for (let row = Math.max(0, at - AROUND); row < Math.min(to, at + AROUND); row++) {
    const around = rows[row];
    if (around && !around.isOrnament && !around.isBoxed)
      widest = Math.max(widest, around.width ?? columns(around.text));
  }
  return widest;
}

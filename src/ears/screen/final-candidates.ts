/**
 * Final candidates: does a candidate count at once, by which key is it compared with others, and what is reported of
 * it?
 */
import { isMessageType, validateMessage, withoutBlanks } from '../../protocol/index.js';
import type { TextSpan, Utterance } from '../grammar/index.js';
import { readJson } from '../json.js';
import { type Candidate, FENCE } from './candidates/index.js';
import type { Window } from './heard.js';
import type { Rows } from './rows/index.js';

/** Prefix of a marker's key. */
export const MARKER_KEY = 'marker:';

export const markerKey = (text: string): string => `${MARKER_KEY}${withoutBlanks(text)}`;

/**
 * Returns the content of a candidate without the parts that a repaint may lose: blanks, emoji, and punctuation within
 * strings.
 */
export function keyOf(read: Candidate | Utterance): string {
  if (read.form === 'marker') return markerKey(read.text);
  const json = withoutBlanks(read.form === 'envelope' ? read.json : read.text);
  return `json:${json.replace(/[^\p{L}\p{N}"{}[\],:]/gu, '')}`;
}

/**
 * True if a candidate counts at once. An object does if it is complete and valid; an invalid one, or one with an empty
 * row, may be half painted.
 */
export function isFinal(candidate: Candidate): boolean {
  if (candidate.form === 'marker' || !candidate.isSure || candidate.hasGap) return false;
  const reading = readJson(candidate.form === 'envelope' ? candidate.json : candidate.text);
  if (!reading.ok) return false;
  const { key: _key, ...value } = reading.value as { key?: unknown; type?: unknown }; // `isSure` proves an object
  // An envelope holds the data of an OUTPUT, with or without a field `data`.
  if (candidate.form === 'envelope' && !isMessageType(value.type)) return true;
  return validateMessage(value.type as Parameters<typeof validateMessage>[0], value).length === 0; // known: `isSure`
}

/**
 * True if a fence is directly below a candidate. A program that paints upwards may paint the other end of that fence
 * after the candidate.
 */
export const isAboveFence = (rows: Rows, { end }: Candidate): boolean => FENCE.test(rows[end]?.text ?? '');

/**
 * Drops the upper one of two candidates with the same content: a program may paint a part of the waiting candidates
 * again before they are reported.
 */
export function dropPaintedAgain(waiting: Map<number, { readonly key: string }>, paintedFrom: number): void {
  const below = [...waiting].filter(([row]) => row >= paintedFrom).map(([, { key }]) => key);
  for (const [row, { key }] of [...waiting]) {
    const at = row < paintedFrom ? below.indexOf(key) : -1;
    if (at === -1) continue;
    below.splice(at, 1);
    waiting.delete(row);
  }
}

/** True if the row has left the screen, and was judged before the terminal's width changed. */
export function isOutdated(
  { candidate, key, row }: { readonly candidate: Candidate; readonly key: string; readonly row: number },
  { base, wrappedFrom }: Window,
  pending: ReadonlyMap<number, { readonly key: string }>,
): boolean {
  return base + candidate.end <= wrappedFrom && pending.get(row)?.key !== key;
}

/** Converts a candidate to a message that was found at `place`. */
export function toUtterance(candidate: Candidate, { from, to, line }: TextSpan): Utterance {
  const place = { from, to, line, ...(candidate.isExact ? {} : { exact: false as const }) };
  if (candidate.form === 'marker') {
    return { form: 'marker', ...place, text: candidate.text, type: candidate.type, words: candidate.words };
  }
  if (candidate.form === 'fence') return { form: 'fence', ...place, text: candidate.text };
  const { text, json, human } = candidate;
  return { form: 'envelope', ...place, text, json, human };
}

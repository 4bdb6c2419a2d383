/**
 * Decides whether two readings of a screen show the same dialog.
 *
 * Line breaks and blanks are ignored, because another terminal size wraps the text elsewhere. A dialog that is cut at
 * its top or whose labels are cut equals the complete one. Parts that a program updates while it waits are ignored as
 * well: clocks, durations, percentages, the spinner at the start of a row, and the dots at its end.
 */
import { withoutBlanks } from '../../../protocol/index.js';
import type { Dialog } from '../adapter.js';

const SPINNER = /^[\u2800-\u28ff◐◓◑◒◴◵◶◷✢✳✶✻✽●○◉◎◌∙·*|/\\-]\s+/u;
const CLOCK = /\b\d{1,2}:\d{2}(?::\d{2})?\b/g;
const DURATION = /(?:\b\d+(?:[.,]\d+)?\s?(?:ms|s|m|h|secs?|seconds?|mins?|minutes?|hours?)\b\s?)+/g;
const PERCENTAGE = /\b\d+(?:[.,]\d+)?\s?%/g;
const DOTS = /(?<![.…])[.…]+$/;
/** Minimum length at which a cut text or label is compared. */
const MIN_CUT_CHARS = 12;

/** True if both show the same question, ignoring clocks, spinners and line breaks. */
export function isSameDialog(one: Dialog, other: Dialog): boolean {
  return isAlike(one, other, steady);
}

/** True if text and labels are equal except for line breaks. The pointer may be on another choice. */
export function isExactDialog(one: Dialog, other: Dialog): boolean {
  return isAlike(one, other, (text) => text);
}

/** True if a choice can be made by keys. */
export function canBeChosen({ choices }: Dialog): boolean {
  return choices.some(({ keys }) => keys !== null);
}

function isAlike(one: Dialog, other: Dialog, normalize: (text: string) => string): boolean {
  const labels = other.choices.map(({ label }) => withoutBlanks(label));
  return (
    one.choices.length === labels.length &&
    one.choices.every(({ label }, at) => isSameLabel(withoutBlanks(label), labels[at] ?? '')) &&
    isSameText(withoutBlanks(normalize(one.text)), withoutBlanks(normalize(other.text)))
  );
}

function isSameLabel(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (short.length >= MIN_CUT_CHARS && long.startsWith(short.replace(DOTS, '')));
}

/** A text that starts with `…` lacks its beginning. */
function isSameText(one: string, other: string): boolean {
  if (one === other) return true;
  const isCut = (text: string, whole: string): boolean =>
    text.startsWith('…') && text.length > MIN_CUT_CHARS && whole.endsWith(text.slice(1));
  return isCut(one, other) || isCut(other, one);
}

function steady(text: string): string {
  return text
    .split('\n')
    .map((row) => row.replace(SPINNER, '').replace(CLOCK, '0:00').replace(PERCENTAGE, '0%').replace(DURATION, '0s '))
    .map((row) => row.replace(DOTS, ''))
    .join('\n');
}

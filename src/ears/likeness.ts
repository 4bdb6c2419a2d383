/**
 * Likeness: by what an utterance is known again when another ear hears it.
 *
 * In:   what it is worth, and its text.
 * Out:  a few short strings to compare by.
 *
 *     exact     {"question": "Set `__init__` first?"}      the transcript's
 *     damaged   {"question":"Set init first?"}             the screen's: drawn as markdown, blanks at wraps unknown
 *
 * Programs that draw text lose characters (emphasis, escapes, the address of a link) and add ornaments, but they put no letter or digit
 * into it: so the letters of the damaged one stand in the exact one in their order, and are most of them. `30 %` is no damaged `40 %`.
 */
import { MAX_COMPARED_CHARS } from './bounds.js';
import { digest, inkDigest } from './digest.js';
import type { Utterance } from './grammar.js';
import type { Judged } from './judge.js';

export interface Likeness {
  readonly kind: Judged['kind'];
  /** Of a message. */
  readonly type: string | null;
  /** Digest of its content without blanks; of a rejection's whole text. */
  readonly content: string;
  /** Digest of a message's id, if it has one. */
  readonly id: string | null;
  /** Its letters and digits in order, as much as is compared; empty for what cannot be damaged. */
  readonly letters: string;
}

/** A damaged text holds at least so much of the exact one's letters. */
const MIN_KEPT = 0.7;
/** A part of a text, which lacks whole rows, begins as the text does: so much of the part. */
const MIN_SAME_BEGINNING = 0.5;

/** @param isExactOnly  It cannot be damaged, and nothing that is damaged is looked for: its letters are not needed. */
export function likenessOf(utterance: Utterance, judged: Judged, isExactOnly = false): Likeness {
  const letters = isExactOnly ? '' : lettersOf(textOf(utterance));
  if (judged.kind === 'rejected') {
    return { kind: 'rejected', type: null, content: inkDigest(textOf(utterance)), id: null, letters };
  }
  const { message } = judged;
  const id = message.id === undefined ? null : digest(message.id);
  return { kind: 'message', type: message.type, content: judged.content, id, letters };
}

const textOf = (utterance: Utterance): string => (utterance.form === 'envelope' ? utterance.json : utterance.text);

export function isExact(one: Likeness, other: Likeness): boolean {
  return one.kind === other.kind && one.content === other.content;
}

export function hasSameId(one: Likeness, other: Likeness): boolean {
  return one.id !== null && one.id === other.id && one.type === other.type;
}

/** Whether `seen` may be `exact`, on a screen of which rows were scrolled away or not painted yet. */
export function isPicture(seen: Likeness, exact: Likeness): boolean {
  return isExact(seen, exact) || hasSameId(seen, exact) || isDamaged(seen, exact) || isPart(seen, exact);
}

/** Whether `seen` begins as `exact` does, and has no letters of its own. */
function isPart(seen: Likeness, exact: Likeness): boolean {
  if (!isSameType(seen, exact) || !isWithin(seen.letters, exact.letters)) return false;
  let alike = 0;
  while (alike < seen.letters.length && seen.letters[alike] === exact.letters[alike]) alike++;
  return alike > 0 && alike >= seen.letters.length * MIN_SAME_BEGINNING;
}

/** Whether `seen` is what is left of `exact` on a screen. A rejection may be a damaged message, and a message a damaged rejection. */
export function isDamaged(seen: Likeness, exact: Likeness): boolean {
  if (!isSameType(seen, exact)) return false;
  // The end of a cut text may stand in the part that is not there.
  const isCut = exact.letters.length >= MAX_COMPARED_CHARS;
  const letters = isCut ? seen.letters.slice(0, MAX_COMPARED_CHARS * MIN_KEPT) : seen.letters;
  if (letters === '' || letters.length < Math.floor(exact.letters.length * MIN_KEPT)) return false;
  return isWithin(letters, exact.letters);
}

const isSameType = (one: Likeness, other: Likeness): boolean =>
  one.type === other.type || one.type === null || other.type === null;

/** Whether the letters stand among the others, in their order. */
function isWithin(letters: string, others: string): boolean {
  let at = 0;
  for (const letter of letters) {
    const found = others.indexOf(letter, at);
    if (found === -1) return false;
    at = found + letter.length;
  }
  return true;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, MAX_COMPARED_CHARS);
}

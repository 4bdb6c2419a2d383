/**
 * Likeness: how an utterance is recognized when another ear hears it.
 *
 * In:   the judged utterance, and its text.
 * Out:  a few short strings to compare.
 *
 *     exact     {"question": "Set `__init__` first?"}      the transcript's
 *     damaged   {"question":"Set init first?"}             the screen's: drawn as markdown, blanks at wraps unknown
 *
 * Programs that draw text lose characters (emphasis, escapes, the address of a link) and add ornaments, but they add no
 * letter or digit. So the letters of the damaged text appear in the exact text in the same order, and are most of its
 * letters. `30 %` is not a damaged `40 %`. There is one exception: beside a character that the program and the terminal
 * do not count as equally wide, a letter of the picture before may be left over.
 *
 * Gemini CLI shows the comments of HTML, and leaves them out of its transcript: such a text is also compared without
 * them.
 */
import { MAX_COMPARED_CHARS } from '../bounds.js';
import { digest, inkDigest } from '../digest.js';
import type { Utterance } from '../grammar/index.js';
import { UNSURE_WIDTH } from '../screen/rows/index.js';
import type { Judged } from './judge.js';

export interface Likeness {
  readonly kind: Judged['kind'];
  /** The message's type; null for a rejection. */
  readonly type: string | null;
  /** Digest of a message's content without blanks, or of a rejection's whole text. */
  readonly content: string;
  /** Digest of the message's id, if it has one. */
  readonly id: string | null;
  /** Its letters and digits in order, up to the compared length; empty for an utterance that cannot be damaged. */
  readonly letters: string;
  /** `letters` without the comments of HTML; absent if there are none. */
  readonly bare?: string;
  /** Number of letters that a copy on a screen may have in addition; absent for 0. */
  readonly leftOver?: number;
}

/** Minimum part of the exact text's letters that a damaged copy contains. */
const MIN_KEPT = 0.7;
/** Minimum part at the beginning that must be equal if a copy lacks whole rows. */
const MIN_SAME_BEGINNING = 0.5;
/** Maximum number of letters of earlier pictures that a copy may contain. */
const MAX_LEFT_OVER = 4;
const UNSURE_WIDTHS = new RegExp(UNSURE_WIDTH, 'gu');
const COMMENT = /<!--.*?-->/gsu;

/**
 * @param isExactOnly  True for an exact text that is compared only with exact ones: its letters are then not needed.
 */
export function likenessOf(utterance: Utterance, judged: Judged, isExactOnly = false): Likeness {
  const text = textOf(utterance);
  const letters = isExactOnly ? '' : lettersOf(text);
  const bare = !isExactOnly && text.includes('<!--') ? { bare: lettersOf(text.replace(COMMENT, '')) } : {};
  const more = isExactOnly ? bare : { ...bare, ...leftOverOf(text) };
  if (judged.kind === 'rejected') {
    return { kind: 'rejected', type: null, content: inkDigest(text), id: null, letters, ...more };
  }
  const { message } = judged;
  const id = message.id === undefined ? null : digest(message.id);
  return { kind: 'message', type: message.type, content: judged.content, id, letters, ...more };
}

/** Returns the fields that most likenesses do not have. */
export const rareFieldsOf = ({ bare, leftOver }: Likeness): Pick<Likeness, 'bare' | 'leftOver'> => ({
  ...(bare !== undefined && { bare }),
  ...(leftOver !== undefined && { leftOver }),
});

const textOf = (utterance: Utterance): string => (utterance.form === 'envelope' ? utterance.json : utterance.text);

export function isExact(one: Likeness, other: Likeness): boolean {
  return one.kind === other.kind && one.content === other.content;
}

export function hasSameId(one: Likeness, other: Likeness): boolean {
  return one.id !== null && one.id === other.id && one.type === other.type;
}

/** True if `seen` may be a copy of `exact` on a screen of which rows were scrolled away or not painted yet. */
export function isPicture(seen: Likeness, exact: Likeness): boolean {
  return (
    isExact(seen, exact) ||
    hasSameId(seen, exact) ||
    isDamaged(seen, exact) ||
    isPart(seen, exact) ||
    isShortened(seen, exact)
  );
}

/** True if `seen` begins as `exact` does, and has no other letters. */
function isPart(seen: Likeness, exact: Likeness): boolean {
  if (!isSameType(seen, exact) || !isWithin(seen.letters, exact.letters)) return false;
  let alike = 0;
  while (alike < seen.letters.length && seen.letters[alike] === exact.letters[alike]) alike++;
  return alike > 0 && alike >= seen.letters.length * MIN_SAME_BEGINNING;
}

/**
 * True if `seen` is a damaged copy of `exact`. A rejection may be a damaged message, and a message a damaged rejection.
 */
export function isDamaged(seen: Likeness, exact: Likeness): boolean {
  if (!isSameType(seen, exact)) return false;
  // Letters at the end of `seen` may belong to the part of `exact` that was cut off.
  const isCut = exact.letters.length >= MAX_COMPARED_CHARS;
  const letters = isCut ? seen.letters.slice(0, MAX_COMPARED_CHARS * MIN_KEPT) : seen.letters;
  if (letters === '' || letters.length < Math.floor(exact.letters.length * MIN_KEPT)) return false;
  const longerBy = letters.length - exact.letters.length;
  return isWithin(letters, exact.letters, longerBy > 0 ? Math.min(longerBy, leftOverIn(seen, exact)) : 0);
}

const leftOverIn = (seen: Likeness, exact: Likeness): number => Math.max(seen.leftOver ?? 0, exact.leftOver ?? 0);

/** True if `exact` is a copy of `seen` without the comments. */
export function isShortened(seen: Likeness, exact: Likeness): boolean {
  return seen.bare !== undefined && isDamaged({ ...seen, letters: seen.bare }, exact);
}

const isSameType = (one: Likeness, other: Likeness): boolean =>
  one.type === other.type || one.type === null || other.type === null;

/**
 * True if all letters appear in `others`, in the same order.
 *
 * @param leftOver  This many letters need not appear.
 */
function isWithin(letters: string, others: string, leftOver = 0): boolean {
  // The end of what was found, by the number of letters that were left out.
  const ends = Array.from({ length: leftOver + 1 }, (_, left) => (left === 0 ? 0 : Number.POSITIVE_INFINITY));
  for (const letter of letters) {
    for (let left = leftOver; left >= 0; left--) {
      const found = others.indexOf(letter, ends[left]);
      const end = found === -1 ? Number.POSITIVE_INFINITY : found + letter.length;
      ends[left] = Math.min(end, ends[left - 1] ?? Number.POSITIVE_INFINITY);
    }
    if (!ends.some(Number.isFinite)) return false;
  }
  return true;
}

function leftOverOf(text: string): { readonly leftOver?: number } {
  const leftOver = Math.min(MAX_LEFT_OVER, text.match(UNSURE_WIDTHS)?.length ?? 0);
  return leftOver === 0 ? {} : { leftOver };
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, MAX_COMPARED_CHARS);
}

/**
 * Distinguishes an agent's own text from text of its prompt: the echo of a terminal that could not be removed, and the
 * prompt that the agent quotes. Pure.
 *
 * A text that occurs word for word in the prompt is not the agent's own if
 *
 * - it is part of the echo: it was printed no more often than it was typed, or
 * - it is quoted: beside it stands the same text as in the prompt, at least MIN_QUOTED characters before or after it.
 *
 * Blanks, line breaks, signs of quotes (`> `) and borders are ignored, because terminals wrap lines and programs
 * decorate them. Rows that begin with a time or a number are compared one by one.
 */
import { withoutDecoration as ink } from '../protocol/index.js';

export interface PossibleEcho {
  /** The prompt, with its instructions. */
  readonly typed: string;
  /** All output since the prompt was typed, including the echo; null if the text contains no echo. */
  readonly printed: string | null;
}

/** Tells if the part of the text between two positions is the agent's own. */
export type IsOwn = (from: number, to: number) => boolean;

/** Number of characters beside a value that prove a quote. An answer may equal an example of the prompt by itself. */
const MIN_QUOTED = 24;
/** Number of characters of the text, with blanks, in which these are searched. */
const NEAR_CHARS = 400;
const FENCE_BEFORE = /(?:`{3,}|~{3,})\w*$/u;
const FENCE_AFTER = /^(?:`{3,}|~{3,})/u;

/** @param echo  Null if the prompt is not known. All of the text is then the agent's. */
export function ownText(text: string, echo: PossibleEcho | null): IsOwn {
  if (echo === null) return () => true;
  const typed = ink(echo.typed);
  let typedAt: readonly number[] | null = null;
  const printed = echo.printed === null ? null : ink(echo.printed);
  return (from, to) => {
    const value = ink(text.slice(from, to));
    const places = placesOf(typed, value);
    if (places.length === 0) return true;
    if (printed !== null && placesOf(printed, value).length <= places.length) return false;
    const said = beside(text, from, to);
    typedAt ??= inkPlaces(echo.typed);
    return !places.some((place) => {
      const [first = 0, last = 0] = [typedAt?.[place], typedAt?.[place + value.length - 1]];
      return isQuote(said, beside(echo.typed, first, last + 1));
    });
  };
}

/** The text before and after a value. */
interface Beside {
  readonly before: string;
  readonly after: string;
}

const beside = (text: string, from: number, to: number): Beside => ({
  before: text.slice(Math.max(0, from - NEAR_CHARS), from),
  after: text.slice(to, to + NEAR_CHARS),
});

const isQuote = (said: Beside, typed: Beside): boolean =>
  isSame(beforeIn(said.before), beforeIn(typed.before)) ||
  isSame(afterIn(said.after), afterIn(typed.after)) ||
  hasSameRows(rowsOf(said.before).reverse(), rowsOf(typed.before).reverse()) ||
  hasSameRows(rowsOf(said.after), rowsOf(typed.after));

const rowsOf = (text: string): string[] => text.split('\n').map(ink);

const isSame = (one: string, other: string): boolean => one !== '' && one === other;

/** Returns the characters directly before a value and its fence; '' if they are too few to prove a quote. */
function beforeIn(near: string): string {
  const text = ink(near).replace(FENCE_BEFORE, '');
  return text.length < MIN_QUOTED ? '' : text.slice(-MIN_QUOTED);
}

function afterIn(near: string): string {
  const text = ink(near).replace(FENCE_AFTER, '');
  return text.length < MIN_QUOTED ? '' : text.slice(0, MIN_QUOTED);
}

/** True if the rows nearest to a value end with those of the prompt, together at least MIN_QUOTED characters. */
function hasSameRows(said: readonly string[], typed: readonly string[]): boolean {
  let length = 0;
  for (const [at, row] of typed.entries()) {
    if (!said[at]?.endsWith(row)) return false;
    length += row.length;
    if (length >= MIN_QUOTED) return true;
  }
  return false;
}

/** Returns the place of each character that is neither a blank nor decoration. */
const inkPlaces = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => at).filter((at) => ink(text.charAt(at)) !== '');

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  if (part === '') return places;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

/**
 * Distinguishes an agent's own text from text of its prompt: the echo of a terminal that could not be removed, and the
 * prompt that the agent quotes. Pure.
 *
 * A text that occurs word for word in the prompt is not the agent's own if
 *
 * - it is part of the echo: it was printed no more often than it was typed, or
 * - it is quoted: beside it stands the same text as in the prompt, at least MIN_QUOTED characters before or after it.
 *
 * Blanks and line breaks are ignored, because a terminal wraps lines.
 */
import { withoutBlanks } from '../protocol/index.js';
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
  const typed = withoutBlanks(echo.typed);
  const printed = echo.printed === null ? null : withoutBlanks(echo.printed);
  return (from, to) => {
    const places = placesOf(typed, withoutBlanks(text.slice(from, to)));
    if (places.length === 0) return true;
    if (printed !== null && placesOf(printed, withoutBlanks(text.slice(from, to))).length <= places.length)
      return false;
    const before = beforeIn(withoutBlanks(text.slice(Math.max(0, from - NEAR_CHARS), from)));
    const after = afterIn(withoutBlanks(text.slice(to, to + NEAR_CHARS)));
    return !places.some((place) => {
      const typedBefore = beforeIn(typed.slice(Math.max(0, place.from - NEAR_CHARS), place.from));
      const typedAfter = afterIn(typed.slice(place.to, place.to + NEAR_CHARS));
      return (before !== '' && typedBefore === before) || (after !== '' && typedAfter === after);
    });
  };
}

/** Returns the characters directly before a value and its fence; '' if they are too few to prove a quote. */
function beforeIn(near: string): string {
  const text = near.replace(FENCE_BEFORE, '');
  return text.length < MIN_QUOTED ? '' : text.slice(-MIN_QUOTED);
}

function afterIn(near: string): string {
  const text = near.replace(FENCE_AFTER, '');
  return text.length < MIN_QUOTED ? '' : text.slice(0, MIN_QUOTED);
}

function placesOf(text: string, part: string): { readonly from: number; readonly to: number }[] {
  const places: { from: number; to: number }[] = [];
  if (part === '') return places;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    places.push({ from: at, to: at + part.length });
  }
  return places;
}

/**
 * Distinguishes an agent's own text from the echo of its prompt, where the echo could not be removed. Pure.
 *
 * A text that occurs word for word in the prompt counts as the agent's own only if it was printed more often than it
 * was typed. Blanks and line breaks are ignored, because a terminal wraps lines.
 */
export interface PossibleEcho {
  readonly typed: string;
  /** All output since the prompt was typed, including the echo. */
  readonly printed: string;
}

export type IsOwn = (text: string) => boolean;

/** @param echo  Null if the text contains no echo. All of it is then the agent's. */
export function ownText(echo: PossibleEcho | null): IsOwn {
  if (echo === null) return () => true;
  const typed = ink(echo.typed);
  const printed = ink(echo.printed);
  return (text) => {
    const wanted = ink(text);
    const times = count(typed, wanted);
    return times === 0 || count(printed, wanted) > times;
  };
}

function count(text: string, part: string): number {
  if (part === '') return 0;
  let times = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) times++;
  return times;
}

const ink = (text: string): string => text.replace(/\s+/g, '');

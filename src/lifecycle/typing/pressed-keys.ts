/**
 * Tracks the text that a person has typed into a program but not submitted, key by key. Pure.
 *
 * In:   the unsubmitted text so far, and the bytes of the next keys.
 * Out:  the unsubmitted text after these keys.
 * The result is an estimate: arrow keys are ignored, so a word in the middle may be wrong. The caller only needs to
 * know whether any text is left.
 */

export interface UnsentText {
  readonly text: string;
  /** True inside a bracketed paste, where line ends are not Enter. */
  readonly isPasting: boolean;
}

export const NO_DRAFT: UnsentText = { text: '', isPasting: false };

/** Maximum length of a draft. A longer draft loses its beginning. */
const MAX_DRAFT_CHARS = 4096;

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** Matches Alt with Enter or Backspace; another escape sequence; a control character; or a run of text. */
const KEYS =
  /\x1b([\r\n\x7f\x08])|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[\s\S]|\x1b[^[O]?|([\x00-\x1f\x7f])|([^\x00-\x1f\x7f]+)/g;

/** Enter with a modifier in the kitty and xterm encodings. It starts a new line. */
const MODIFIED_ENTER = /^\x1b\[(?:13;[2-9]u|27;[2-9];13~)$/;
const ENTER = '\x1b[13u';
const DELETE = '\x1b[3~';

/**
 * Returns the unsubmitted text after the next keys.
 *
 * @param keys  The bytes that the terminal has sent, as a string.
 */
export function draftAfter(draft: UnsentText, keys: string): UnsentText {
  let { text, isPasting } = draft;
  for (const [key, alt, control, typed] of keys.matchAll(KEYS)) {
    if (key === PASTE_BEGIN || key === PASTE_END) isPasting = key === PASTE_BEGIN;
    else if (typed !== undefined) text += typed;
    else if (isPasting) text += control ?? '';
    else if (alt !== undefined) text = /[\r\n]/.test(alt) ? `${text}\n` : withoutLastWord(text);
    else if (control !== undefined) text = afterControl(text, control);
    else if (key === ENTER) text = '';
    else if (MODIFIED_ENTER.test(key)) text += '\n';
    else if (key === DELETE) text = withoutLastCharacter(text);
  }
  return { text: text.slice(-MAX_DRAFT_CHARS), isPasting };
}

/** Matches the keys that delete. */
const DELETIONS = /[\x7f\x08\x15\x17]|\x1b\[3~/;

/** True if the keys change the text in an input line, even an empty one, and do not submit it. */
export function isEdit(keys: string): boolean {
  const { text } = draftAfter(NO_DRAFT, keys);
  return text !== '' || (DELETIONS.test(keys) && !keys.includes('\r'));
}

/** True if the keys submit a text: a draft, or one that they type themselves. */
export function isSubmit(draft: UnsentText, keys: string): boolean {
  const enter = Math.max(keys.lastIndexOf('\r'), keys.lastIndexOf(ENTER));
  const before = enter === -1 ? NO_DRAFT : draftAfter(draft, keys.slice(0, enter));
  return before.text !== '' && draftAfter(draft, keys).text === '';
}

function afterControl(text: string, control: string): string {
  switch (control) {
    case '\r':
    case '\x03': // Ctrl-C
    case '\x15': // Ctrl-U
      return '';
    case '\n': // Ctrl-J: a new line in an agent's input
      return `${text}\n`;
    case '\x7f':
    case '\x08':
      return withoutLastCharacter(text);
    case '\x17': // Ctrl-W
      return withoutLastWord(text);
    default:
      return text;
  }
}

const withoutLastCharacter = (text: string): string => [...text].slice(0, -1).join('');

function withoutLastWord(text: string): string {
  const kept = text.trimEnd();
  let at = kept.length;
  while (at > 0 && /\S/.test(kept[at - 1] ?? '')) at--;
  return kept.slice(0, at);
}

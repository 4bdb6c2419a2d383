/**
 * Pressed keys: what a person has typed into a program and not submitted yet, followed key by key. Pure.
 *
 * In:   what stood in the input line so far, and the bytes of the next keys.
 * Out:  what stands there now.
 * It is an estimate: arrow keys are passed over, so a word in the middle may be wrong. The caller needs to know only if
 * any text is left.
 */

export interface Draft {
  readonly text: string;
  /** A bracketed paste has begun and not ended: its line ends are no Enter. */
  readonly isPasting: boolean;
}

export const NO_DRAFT: Draft = { text: '', isPasting: false };

/** Longer drafts lose their beginning. */
const MAX_DRAFT_CHARS = 4096;

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** Alt with Enter or Backspace; any other escape sequence; a control character; a run of text. */
const KEYS =
  /\x1b([\r\n\x7f\x08])|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[\s\S]|\x1b[^[O]?|([\x00-\x1f\x7f])|([^\x00-\x1f\x7f]+)/g;

/** The Kitty keyboard protocol's Enter and xterm's: with a modifier it begins a new line. */
const MODIFIED_ENTER = /^\x1b\[(?:13;[2-9]u|27;[2-9];13~)$/;
const ENTER = '\x1b[13u';
const DELETE = '\x1b[3~';

export function draftAfter(draft: Draft, keys: string): Draft {
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
const withoutLastWord = (text: string): string => text.replace(/\S*\s*$/u, '');

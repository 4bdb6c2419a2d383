/**
 * Typed text: what is typed into an agent's composer so that its model receives an answer as words. Pure.
 *
 *     asWords        keeps a text from ending the agent, running as a command, opening a completion list, or losing its
 *                    last backslash
 *     asSent         the same for a text that a person sends: a command stays one
 *     namedAnswer    puts the question before the answer, for an agent that has asked several
 *
 * The model receives the text exactly, or with a blank before or behind it. Each adapter has a table of what its agent
 * acts on.
 */
import type { Item } from '../protocol/index.js';

/** Inputs that an agent does not hand to its model as they were typed. */
export interface InputRules {
  /** Whole inputs that the agent acts on, in lower case: `exit`. Blanks around them do not count. */
  readonly actions: readonly string[];
  /** An input that begins with one of these characters is a command, even behind blanks. */
  readonly commands: string;
  /** An input that begins with one of these is a command, a file or a memory, unless a blank stands before it. */
  readonly marks: string;
  /**
   * If the last word of an input holds one of these, Enter may complete that word, or break the line, instead of
   * sending.
   */
  readonly endings: string;
  /**
   * Text typed behind a backslash at the end: a blank, or U+2800 for programs that look for the backslash before
   * blanks.
   */
  readonly afterBackslash: string;
  /** The text that the agent makes of a tab. */
  readonly tab: string;
}

/** BRAILLE PATTERN BLANK: looks like a blank, but no agent trims it. */
const LASTING_BLANK = '\u2800';
/** A backslash keeps the blank behind it in the word: `@my\ file`. */
const LAST_WORD = /(?:\\[^\S\n]|\S)+$/;

/** Returns the text, with a blank before or behind it where the agent would act on it instead. */
export function asWords(text: string, rules: InputRules): string {
  return `${blankBefore(text, rules)}${ended(text, rules)}`;
}

/** Returns the text so that Enter sends it, as it is if the agent takes it for a command: a person may send one. */
export function asSent(text: string, rules: InputRules): string {
  return blankBefore(text, rules) === '' ? ended(text, rules) : text;
}

/** Returns what keeps the agent from acting on the text; '' if it does not. */
function blankBefore(text: string, { actions, commands, marks }: InputRules): string {
  const words = text.trim();
  if (words === '') return '';
  const first = words.charAt(0);
  if (commands.includes(first) || actions.includes(words.toLowerCase())) return LASTING_BLANK;
  return marks.includes(first) ? ' ' : '';
}

/**
 * Returns the text with a blank behind it if Enter would not send it; and with blanks for tabs, if the agent makes them
 * of tabs.
 */
function ended(given: string, { endings, afterBackslash, tab }: InputRules): string {
  const text = given.replaceAll('\t', tab);
  const words = text.trimEnd();
  const lastWord = LAST_WORD.exec(words)?.[0] ?? '';
  const isOpen = [...endings].some((char) => lastWord.includes(char));
  // Copilot CLI drops line breaks at the end of a paste.
  return isOpen ? `${words}${words.endsWith('\\') ? afterBackslash : ' '}` : text;
}

/** A name longer than this says no more. */
const MAX_NAME_CHARS = 60;

/** Returns the beginning of what an item asks, without anything but letters, digits and blanks. */
export function questionName({ data }: Pick<Item, 'data'>): string {
  const asked = data['question'] ?? data['reason'] ?? data['description'];
  const words = (typeof asked === 'string' ? asked : '').replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  return [...words].slice(0, MAX_NAME_CHARS).join('').trim();
}

/** Returns the answer behind the question it belongs to; the answer alone if the question has no letters or digits. */
export function namedAnswer(item: Pick<Item, 'data'>, text: string): string {
  const name = questionName(item);
  if (name === '') return text;
  // A list or a code block begins on a line of its own.
  return `${name}:${text.includes('\n') ? '\n' : ' '}${text}`;
}

/**
 * Prepares a text for an agent's composer, so that the model receives an answer as words. Pure.
 *
 *     asWords        prevents that a text ends the agent, runs as a command, opens a completion list, or loses its
 *                    last backslash
 *     asSent         the same for a text that a person sends, which may be a command
 *     namedAnswer    puts the question before the answer, for an agent with several open questions
 *
 * The model receives the exact text, or the text with a blank before or after it. Each adapter has a table of the
 * inputs on which its agent acts.
 */
import type { InputRules, Item } from '../../protocol/index.js';

/** BRAILLE PATTERN BLANK: looks like a blank, but no agent trims it. */
const LASTING_BLANK = '\u2800';

/** Returns the text, with a blank before or after it if the agent would otherwise execute it. */
export function asWords(given: string, rules: InputRules): string {
  const text = changed(given, rules);
  return `${blankBefore(text, rules)}${ended(text, rules)}`;
}

/** Returns the text in a form that Enter sends. A command is not changed, because a person may send one. */
export function asSent(given: string, rules: InputRules): string {
  const text = changed(given, rules);
  return blankBefore(text, rules) === '' ? ended(text, rules) : given;
}

/**
 * Replaces the characters that the agent would replace, so that the person sees what the agent's model receives. An
 * invisible character before a command is such a character, so this comes before the search for commands.
 */
const changed = (given: string, { changes }: InputRules): string =>
  changes.reduce(
    (text, [chars, made]) => text.replace(chars, (found) => (typeof made === 'string' ? made : made(found))),
    given,
  );

/** Characters without a picture. A program may remove them before it looks for a command. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the blank that prevents the agent from acting on the text; '' if none is needed. */
function blankBefore(text: string, { actions, commands, marks }: InputRules): string {
  const words = text.replace(INVISIBLE, '').trim();
  if (words === '') return '';
  const first = words.charAt(0);
  if (commands.includes(first) || actions.includes(words.toLowerCase())) return LASTING_BLANK;
  return marks.includes(first) ? ' ' : '';
}

/** Appends a blank if Enter would otherwise not send the text. */
function ended(text: string, { endings, afterBackslash }: InputRules): string {
  const words = text.trimEnd();
  const lastWord = lastWordOf(words);
  const isOpen = [...endings].some((char) => lastWord.includes(char));
  // Copilot CLI drops line breaks at the end of a paste, so they are not added to the words.
  return isOpen ? `${words}${words.endsWith('\\') ? afterBackslash : ' '}` : text;
}

/** Maximum length of a question's name. */
const MAX_NAME_CHARS = 60;

/** Returns the beginning of an item's question, reduced to letters, digits and blanks. */
export function questionName({ data }: Pick<Item, 'data'>): string {
  const asked = data['question'] ?? data['reason'] ?? data['description'];
  const words = (typeof asked === 'string' ? asked : '').replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  return [...words].slice(0, MAX_NAME_CHARS).join('').trim();
}

/** Returns the answer after its question; the answer alone if the question has no letters or digits. */
export function namedAnswer(item: Pick<Item, 'data'>, text: string): string {
  const name = questionName(item);
  if (name === '') return text;
  // A list or a code block must begin on its own line.
  return `${name}:${text.includes('\n') ? '\n' : ' '}${text}`;
}

/** A backslash makes the blank after it a part of the word: `@my\ file`. A regular expression would take long. */
function lastWordOf(text: string): string {
  let at = text.length;
  for (;;) {
    const char = text[at - 1];
    if (char === undefined || char === '\n') break;
    if (/\S/.test(char)) at--;
    else if (text[at - 2] === '\\') at -= 2;
    else break;
  }
  return text.slice(at);
}

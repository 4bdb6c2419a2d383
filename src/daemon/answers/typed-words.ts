/**
 * Typed words: the text to type so that a program takes an answer as words. The answer stores it as `typed` if it
 * differs from what the person wrote.
 *
 * In:   a session, a text.
 * Out:  the text to type. The rules are the adapter's; a full-screen program without an adapter has general ones. A
 *       program that reads lines gets every text unchanged.
 */
import { asSent, asWords, namedAnswer, outlivesSession, questionName } from '../../lifecycle/index.js';
import { type InputRules, type Item, OPENS_ITEM } from '../../protocol/index.js';
import { adapterNamed, GENERIC } from '../../session/adapters/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Typist } from './typist.js';

/** The blanks that full-screen programs make of a tab. */
const TAB = '    ';

interface WordsPorts {
  readonly typist: Pick<Typist, 'sees'>;
  /** Setting `sessions.name_questions`. */
  readonly namesQuestions: boolean;
}

/** Changes the text so that the agent treats it as words, not as a command (see `asWords`). */
export function typedWords({ typist }: Pick<WordsPorts, 'typist'>, entry: SessionEntry, text: string): string {
  const input = inputOf(typist, entry);
  return input ? asWords(text, input) : text;
}

/** Returns the text to type for a text that a person sends: see `asSent`. */
export function sentWords({ typist }: Pick<WordsPorts, 'typist'>, entry: SessionEntry, text: string): string {
  const input = inputOf(typist, entry);
  return input ? asSent(text, input) : text;
}

/** Returns an answer as words, after its question while another item of the agent is open. */
export function typedAnswer(ports: WordsPorts, entry: SessionEntry, item: Item, text: string): string {
  const input = inputOf(ports.typist, entry, item);
  if (!input) return text;
  const name = questionName(item);
  // An item with the same text is the same question, found twice or asked again. The answer need not name it.
  const isOther = ({ item: other }: { readonly item: Item }): boolean =>
    other.id !== item.id &&
    other.state === 'open' &&
    OPENS_ITEM.has(other.type) &&
    !outlivesSession(other) &&
    questionName(other) !== name;
  const isNamed = ports.namesQuestions && entry.aggregate.items.some(isOther);
  return asWords(isNamed ? namedAnswer(item, text) : text, input);
}

/** Returns the text with blanks for tabs, for a program that takes a tab for a key. */
export const withoutTabs = (text: string): string => text.replaceAll('\t', TAB);

/**
 * Returns null for a program that reads lines, such as a shell.
 *
 * @param asked  The item that is answered.
 */
function inputOf(typist: WordsPorts['typist'], entry: SessionEntry, asked?: Item): InputRules | null {
  const painter = entry.hearing?.painter() ?? null;
  const isKnown = painter !== null && painter !== GENERIC.name;
  if (typist.sees(entry)) return adapterNamed(isKnown ? painter : entry.view.adapter)?.input ?? null;
  return painter !== null && isFullScreen(entry, asked) ? GENERIC.input : null;
}

/**
 * True if the program paints a full screen, that is, if it is no line editor. Shells and other line editors also paint
 * when a line wraps, but on the main screen, with a visible cursor, and with the input line at the end of the text.
 */
function isFullScreen({ keeper }: SessionEntry, asked: Item | undefined): boolean {
  const screen = keeper?.screen;
  if (!screen) return false;
  const { x, y, visible } = screen.cursor;
  if (screen.isAlternate || !visible) return true;
  if (asked?.origin.ear !== 'screen') return false;
  // A program that has painted a question, and text behind its input line, is no line editor.
  const [line = '', ...below] = screen.look({}).slice(y);
  return [line.slice(x), ...below].some((text) => text.trim() !== '');
}

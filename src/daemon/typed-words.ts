/**
 * Typed words: what is typed into a session so that its program takes a text as words. The answer's record keeps it as `typed` where it
 * differs from what the person said.
 *
 * In:   a session, a text.
 * Out:  the text to type. A program that reads lines gets every text as it is.
 */
import { asWords, namedAnswer, OPENS_ITEM, outlivesSession } from '../lifecycle/index.js';
import type { Item } from '../protocol/index.js';
import { adapterNamed, type InputTraits } from '../session/adapters/index.js';
import type { SessionEntry } from './session-entry.js';
import type { Typist } from './typist.js';

export interface WordsPorts {
  readonly typist: Pick<Typist, 'sees'>;
  /** Setting `sessions.name_questions`. */
  readonly namesQuestions: boolean;
}

/** Returns the text so that the agent does not act on it: see `asWords`. */
export function typedWords({ typist }: Pick<WordsPorts, 'typist'>, entry: SessionEntry, text: string): string {
  const input = inputOf(typist, entry);
  return input ? asWords(text, input) : text;
}

/** Returns the same of an answer, behind its question while another item of the agent is open. */
export function typedAnswer(ports: WordsPorts, entry: SessionEntry, item: Item, text: string): string {
  const isOther = ({ item: other }: { readonly item: Item }): boolean =>
    other.id !== item.id && other.state === 'open' && OPENS_ITEM.has(other.type) && !outlivesSession(other);
  const isNamed = ports.namesQuestions && ports.typist.sees(entry) && entry.book.items.some(isOther);
  return typedWords(ports, entry, isNamed ? namedAnswer(item, text) : text);
}

function inputOf(typist: WordsPorts['typist'], entry: SessionEntry): InputTraits | null {
  if (!typist.sees(entry)) return null;
  return adapterNamed(entry.hearing?.painter() ?? entry.view.adapter)?.input ?? null;
}

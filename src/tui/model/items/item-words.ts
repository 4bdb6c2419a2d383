/**
 * The texts of an item: what it asks, its options, and the delivery state of its answer. All texts are safe to display.
 */
import {
  type Answer,
  defaultAnswerOf,
  type Item,
  messageWords,
  optionsOf as rawOptionsOf,
  subjectOf as rawSubjectOf,
  type Said,
  type Section,
  stalledWords,
  takesText,
  WITHDRAWN_WORDS,
} from '../../../protocol/index.js';
import { plainLine, plainText } from '../../paint/text.js';
import type { ItemEntry } from './item-entry.js';

/** Returns the question, the reason, or the thing to review. */
export const subjectOf = (item: Item): string => plainText(rawSubjectOf(item));

/** Returns the parts that help to answer, in reading order, then all other fields of the message. */
export const sectionsOf = (said: Said): Section[] =>
  messageWords(said).sections.map(({ title, text, isMarkdown }) => ({
    title: title === null ? null : plainLine(title),
    text: plainText(text),
    isMarkdown,
  }));

interface Option {
  readonly label: string;
  /** True if text must follow, as in `request changes: `. */
  readonly wantsText: boolean;
}

/** Returns the options, numbered from 1. */
export function optionsOf(item: Item): Option[] {
  return rawOptionsOf(item).map((text) => {
    const wantsText = text.endsWith(' ');
    return { label: plainLine(text) + (wantsText ? ' …' : ''), wantsText };
  });
}

/** Returns the time (ms) at which the default is sent, and the default. Null if there is none. */
export function deadlineOf(item: Item): { readonly at: number; readonly text: string } | null {
  const { text, at } = defaultAnswerOf(item) ?? { text: '', at: null };
  return at === null ? null : { at, text: plainLine(text) };
}

export function defaultOf(item: Item): string | null {
  const answer = defaultAnswerOf(item);
  return answer && plainLine(answer.text);
}

/** Returns the question asked before an item is declined. An item that takes no text is only put away. */
export const declineQuestion = (item: Item): string =>
  takesText(item)
    ? 'Decline it? The agent is told “declined”. y: yes, any other key: no'
    : 'Put it away? Nothing is typed; the program still asks. y: yes, any other key: no';

/** Returns '' for an item of this machine. Else whether its machine is away, and the answer on its way there. */
export function elsewhereWords({ elsewhere }: Pick<ItemEntry, 'elsewhere'>): string {
  if (!elsewhere) return '';
  const { away, onItsWay } = elsewhere;
  return [away, onItsWay === '' ? '' : `on its way: ${onItsWay}`]
    .filter(Boolean)
    .map((words) => `${words} · `)
    .join('');
}

/** Returns the result of a closed item, on one line. */
export function outcomeOf({ item, withdrawn }: Pick<ItemEntry, 'item' | 'withdrawn'>): string {
  const { answer } = item;
  if (!answer) return WITHDRAWN_WORDS[withdrawn ?? ''] ?? 'withdrawn';
  const delivery = deliveryWords(answer);
  return [...(delivery === '' ? [] : [delivery]), answerWords(answer)].join(' · ');
}

/** Returns why an item takes no answer: another client answered first, or the item was closed. */
export function closedWords({ item, withdrawn }: Pick<ItemEntry, 'item' | 'withdrawn'>): string {
  const { answer, state } = item;
  if (state === 'open') return 'its answer is on its way';
  if (!answer) return outcomeOf({ item, withdrawn });
  const isSaidHere = answer.by === 'tui' && !answer.declined;
  return `already ${isSaidHere ? `answered by tui: ${answerWords(answer)}` : answerWords(answer)}`;
}

export function answerWords({ text, by, declined }: Answer): string {
  if (by === 'terminal') return 'answered in the session’s own terminal';
  if (declined) return `declined by ${plainLine(by)}`;
  return by === 'tui' ? `“${plainLine(text)}”` : `answered by ${plainLine(by)}: “${plainLine(text)}”`;
}

export function deliveryWords(answer: Answer): string {
  const { delivery, by } = answer;
  if (by === 'terminal' || delivery === undefined) return '';
  return delivery === 'stalled' ? `stalled: ${stalledWords(answer, plainLine)}` : delivery;
}

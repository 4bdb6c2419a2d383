/** The options of an item. The views offer them, and the daemon checks answers against them. */
import type { Item } from '../generated/types.js';
import { MESSAGES, type MessageKind } from '../messages/index.js';

type Asked = Pick<Item, 'type' | 'data'>;

/**
 * Returns the options, numbered from 1. The text of an option is the answer. An option that ends in a blank needs more
 * text.
 */
export function optionsOf({ type, data }: Asked): readonly string[] {
  const fixed = type === 'attention' ? undefined : (MESSAGES[type] as MessageKind).item?.options;
  if (fixed) return fixed;
  const options = data['options'];
  return Array.isArray(options) ? options.map(String) : [];
}

/**
 * False for a dialog of the program itself: it is answered by one of its options or in the terminal, not by text. A
 * question that the program asks before it takes a prompt is answered by a line.
 */
export const takesText = ({ type, data }: Asked): boolean => type !== 'attention' || data['source'] === 'question';

export interface DefaultAnswer {
  readonly text: string;
  /** The time at which the daemon sends it if no other answer comes, in milliseconds; null: it is only suggested. */
  readonly at: number | null;
}

/** Returns the answer that a question suggests; null for none, and for other items. */
export function defaultAnswerOf({
  type,
  data,
  opened_at,
  default_at,
}: Pick<Item, 'type' | 'data' | 'opened_at' | 'default_at'>): DefaultAnswer | null {
  const { default: text, deadlineSeconds } = data;
  if (type !== 'QUESTION' || typeof text !== 'string') return null;
  if (typeof deadlineSeconds !== 'number') return { text, at: null };
  return { text, at: default_at ? timeOf(default_at) : timeOf(opened_at) + deadlineSeconds * 1000 };
}

// biome-ignore lint/style/noRestrictedGlobals: reads the time that it is given, and no clock
const timeOf = (text: string): number => Date.parse(text);

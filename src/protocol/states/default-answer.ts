/** The default answer of a question, and the time at which it is sent. */
import type { Item } from '../generated/types.js';

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

/** The choices that answer an item: the same for the views and for the daemon, which checks the answer. */
import type { Item } from './generated/types.js';

const REVIEW_OPTIONS = ['approve', 'request changes: '] as const;

type Asked = Pick<Item, 'type' | 'data'>;

/** What can be chosen, counted from 1; its text is what is sent. One that ends in a blank wants text after it. */
export function optionsOf({ type, data }: Asked): readonly string[] {
  if (type === 'REQUEST_REVIEW') return REVIEW_OPTIONS;
  const options = data['options'];
  return Array.isArray(options) ? options.map(String) : [];
}

/** A dialog of the program itself: one of its options is chosen, or somebody attaches; no text answers it. */
export const takesText = ({ type }: Pick<Item, 'type'>): boolean => type !== 'attention';

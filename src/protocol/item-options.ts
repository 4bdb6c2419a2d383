/** What an item asks, and what can be chosen: the same for those who show it and for the one who decides. */
import type { Item } from './generated/types.js';

/** The field of an item's data that says what it is about. */
const SUBJECT: Readonly<Record<Item['type'], string>> = {
  QUESTION: 'question',
  BLOCKED: 'reason',
  REQUEST_REVIEW: 'description',
  attention: 'text',
};
const REVIEW_OPTIONS = ['approve', 'request changes: '] as const;

type Asked = Pick<Item, 'type' | 'data'>;

/** The question, the reason, what is to be reviewed; as the agent said it. */
export function subjectOf({ type, data }: Asked): string {
  const value = data[SUBJECT[type]];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** What can be chosen, counted from 1; its text is what is sent. One that ends in a blank wants text after it. */
export function optionsOf({ type, data }: Asked): readonly string[] {
  if (type === 'REQUEST_REVIEW') return REVIEW_OPTIONS;
  const options = data['options'];
  return Array.isArray(options) ? options.map(String) : [];
}

/** A dialog of the program itself: one of its options is chosen, or somebody attaches; no text answers it. */
export const takesText = ({ type }: Pick<Item, 'type'>): boolean => type !== 'attention';

/** What an item says, in words. */
import type { Item } from '../protocol/index.js';

const SUBJECT: Readonly<Record<Item['type'], string>> = {
  QUESTION: 'question',
  BLOCKED: 'reason',
  REQUEST_REVIEW: 'description',
  attention: 'text',
};

/** The question, the reason, what is to be reviewed. */
export const subjectOf = (item: Item): string => String(item.data[SUBJECT[item.type]] ?? '');

/** What can be chosen, counted from 1. */
export function optionsOf(item: Item): readonly string[] {
  if (item.type === 'REQUEST_REVIEW') return ['approve', 'request changes: …'];
  const options = item.data['options'];
  return Array.isArray(options) ? options.map(String) : [];
}

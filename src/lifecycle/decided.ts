import type { NewEventOf } from '../protocol/index.js';

/** What follows from an input: the next state, the events that record it, and what is to be done. */
export interface Decided<Book, Effect> {
  /** The same object if the input changes nothing. */
  readonly book: Book;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly Effect[];
}

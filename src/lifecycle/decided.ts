import type { NewEventOf } from '../protocol/index.js';

/** The consequences of an input: the next state, the events that record it, and the effects to carry out. */
export interface Decided<Book, Effect> {
  /** The same object if the input changes nothing. */
  readonly book: Book;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly Effect[];
}

/** The result type of the state machines: the daemon stores its events and carries out its effects. */
import type { NewEventOf } from '../protocol/index.js';

/** The consequences of an input: the next state, the events that record it, and the effects to carry out. */
export interface Decided<Aggregate, Effect> {
  /** The same object if the input changes nothing. */
  readonly aggregate: Aggregate;
  readonly events: readonly NewEventOf[];
  readonly effects: readonly Effect[];
  /** Why the input changes nothing. Absent if it was handled. */
  readonly ignored?: string;
}

/** Returns a decision that changes only the aggregate: without events and effects. */
export const aggregateOnly = <Aggregate>(aggregate: Aggregate): Decided<Aggregate, never> => ({
  aggregate,
  events: [],
  effects: [],
});

/** @param why Why the input changes nothing: a clause for people who read a log. */
export const ignore = <Aggregate>(aggregate: Aggregate, why: string): Decided<Aggregate, never> => ({
  aggregate,
  events: [],
  effects: [],
  ignored: why,
});

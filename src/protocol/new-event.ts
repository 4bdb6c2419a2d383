/** An event without its sequence number. */
import type { Event } from './generated/types.js';

type WithoutIndex<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
type WithoutSeq<T> = T extends { seq: number } ? Omit<WithoutIndex<T>, 'seq'> : never;

/** Any event of the log without `seq`; narrow it by `event_type`. */
export type NewEventOf = WithoutSeq<Event>;

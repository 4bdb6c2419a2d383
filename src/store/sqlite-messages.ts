/** What the two threads of the SQLite store say to each other: numbered requests, one reply each, in order. */
import type { ErrorCode } from '../protocol/index.js';
import type { EncodedBatch, EncodedEvent, EncodedState } from './encoding.js';
import type { ReadPage, ReadQuery } from './sqlite-log.js';

/** What the worker is started with. */
export interface WorkerInput {
  readonly path: string;
  readonly maxPages?: number;
}

/**
 * A batch as it crosses the threads: its events in one flat list, four values each, which is copied in half the time of
 * objects.
 */
export interface WireBatch extends Omit<EncodedBatch, 'events'> {
  readonly events: readonly WireValue[];
}
export type WireValue = EncodedEvent[keyof EncodedEvent];
/** type, session id, timestamp, text */
export const WIRE_VALUES = 4;

export function toWire({ events, ...rest }: EncodedBatch): WireBatch {
  const values: WireValue[] = [];
  for (const { type, sessionId, timestamp, text } of events) values.push(type, sessionId, timestamp, text);
  return { ...rest, events: values };
}

/** Question and answer of each kind of request. `open` is asked by starting the worker, with OPEN_ID. */
export interface Calls {
  commit: [readonly WireBatch[], readonly (number | Failure)[]];
  read: [ReadQuery, ReadPage];
  firstSeq: [null, number];
  seqAt: [string, number];
  load: [null, EncodedState];
  prune: [{ readonly beforeSeq: number; readonly limit: number }, number];
  close: [null, null];
}
export type CallKind = keyof Calls;
export const OPEN_ID = 0;

export type Request = {
  [K in CallKind]: { readonly id: number; readonly kind: K; readonly input: Calls[K][0] };
}[CallKind];

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}
export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: Failure;
}

/** The messages between the two threads of the SQLite store: numbered requests with one reply each, in order. */
import type { ErrorCode } from '../protocol/index.js';
import type { EncodedBatch, EncodedEvent, EncodedState } from './encoding.js';
import type { ReadPage, ReadQuery } from './sqlite-log.js';

/** The values with which the worker is started. */
export interface WorkerInput {
  readonly path: string;
  readonly maxPages?: number;
}

/**
 * A batch in the format sent between threads: its events as one flat list with four values each, which is copied twice
 * as fast as objects.
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

/** Request and reply of each kind. `open` is requested by starting the worker, and its reply has OPEN_ID. */
export interface Calls {
  commit: [WireBatch, number];
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

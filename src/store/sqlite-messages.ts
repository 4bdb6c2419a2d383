/** What the two threads of the SQLite store say to each other: numbered requests, one reply each, in order. */
import type { ErrorCode } from '../protocol/index.js';
import type { EncodedBatch, EncodedState } from './encoding.js';
import type { ReadPage, ReadQuery } from './sqlite-log.js';

/** What the worker is started with. */
export interface WorkerInput {
  readonly path: string;
  readonly maxPages?: number;
}

/** Question and answer of each kind of request. `open` is asked by starting the worker, with OPEN_ID. */
export interface Calls {
  commit: [readonly EncodedBatch[], readonly (number | Failure)[]];
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

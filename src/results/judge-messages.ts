/**
 * What the judge and its thread say to each other: the thread that it is ready, then one reply for each request, in
 * order.
 */
import type { PossibleEcho } from './possible-echo.js';
import type { Verdict } from './verdict.js';

export interface Request {
  readonly id: number;
  /** As JSON. */
  readonly schema: string;
  readonly what: 'schema' | 'value' | 'text';
  /** The value as JSON, or the text. */
  readonly given: string;
  /** Of a text that may hold the echo of its prompt. */
  readonly echo: PossibleEcho | null;
}
export interface Reply {
  readonly id: number;
  readonly answer: Verdict;
}

/** The thread has loaded what it needs: from here on its time is counted. */
export const READY = 'ready';

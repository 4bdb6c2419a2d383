/** What the judge and its thread say to each other: the thread that it is ready, then one reply for each request, in order. */
import type { Verdict } from './verdict.js';

export interface Request {
  readonly id: number;
  /** As JSON. */
  readonly schema: string;
  readonly what: 'schema' | 'value' | 'text';
  /** The value as JSON, or the text. */
  readonly given: string;
}
export interface Reply {
  readonly id: number;
  readonly answer: Verdict;
}

/** The thread has loaded what it needs: from here on its time is counted. */
export const READY = 'ready';

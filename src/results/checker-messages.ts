/**
 * The messages between the checker and its thread: first READY from the thread, then one reply for each request, in
 * order.
 */
import type { PossibleEcho } from './possible-echo.js';
import type { Verdict } from './verdict.js';

export interface Request {
  readonly id: number;
  /** The schema as JSON. */
  readonly schema: string;
  readonly what: 'schema' | 'value' | 'text';
  /** The value as JSON, or the text. */
  readonly given: string;
  /** The prompt, whose text is not a result. */
  readonly echo: PossibleEcho | null;
}
export interface Reply {
  readonly id: number;
  readonly answer: Verdict;
}

/** The thread has loaded its modules. The time limit starts now. */
export const READY = 'ready';

import type { WebDevice } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/index.js';

/** The caller: a person (any client with the socket or the token), or a program inside a session. */
export interface Caller {
  readonly session: SessionEntry | null;
  /** The browser that calls; null otherwise. */
  readonly device: WebDevice | null;
  /** `cli`, `tui`, `api`, `web`, … */
  readonly client: string;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
  /** The Idempotency-Key that marks repetitions of a request. */
  readonly requestKey: string | null;
  /** Calls a function when the whole reply was sent; never if the caller is gone. */
  readonly afterReply: (then: () => void) => void;
}

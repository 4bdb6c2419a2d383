import type { WebDevice } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/index.js';

/** The caller: a person (any client with the socket or the token), or a program inside a session. */
export interface Caller {
  readonly session: SessionEntry | null;
  /** The browser that calls; null otherwise. */
  readonly device: WebDevice | null;
  /** `cli`, `tui`, `api`, `web`, … */
  readonly client: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The Idempotency-Key that marks repetitions of a request. */
  readonly requestKey: string | null;
  /** True for another machine of the hub. `client` is then the person there, who cannot answer in another name. */
  readonly isRemote?: true;
  /** Calls a function when the whole reply was sent; never if the caller has disconnected. */
  readonly afterReply: (then: () => void) => void;
}

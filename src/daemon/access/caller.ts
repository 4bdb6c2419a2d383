/**
 * The caller of an operation, as the server passes it to the handlers, and the repeatable ids of objects that a command
 * of another machine creates.
 */
import { createHash } from 'node:crypto';
import { type IdKind, type IdOf, makeId, type WebDevice } from '../../protocol/index.js';
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

/** Returns the id of the session that calls, or else the name of the client: `cli`, `tui`, `web:…`. */
export const nameOf = ({ session, client }: Caller): string => session?.id ?? client;

/**
 * Returns an id that is the same for each repetition of a command of another machine. The object that the
 * command creates gets this id, so that a command that is repeated after a crash creates it only once. Undefined for
 * other callers.
 */
export const repeatableId = <K extends IdKind>(kind: K, { isRemote, requestKey }: Caller): IdOf[K] | undefined =>
  isRemote && requestKey !== null ? makeId(kind, createHash('sha256').update(requestKey).digest()) : undefined;

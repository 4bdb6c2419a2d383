/**
 * Calls a function when the caller of a request has disconnected. The caller may disconnect while its request waits.
 * The reply has then emitted `close` before a listener was added, so `destroyed` is checked as well.
 */
import type { ServerResponse } from 'node:http';

/** The abort reason of every request and stream. Creating an error for each would cost as much as a small request. */
export const DISCONNECTED = new Error('the caller has gone');

type Reply = Pick<ServerResponse, 'destroyed' | 'once'>;

/** Calls a function when the reply has ended or its connection is closed; at once if that has already happened. */
export function whenDisconnected(reply: Reply, then: () => void): void {
  if (reply.destroyed) then();
  else reply.once('close', then);
}

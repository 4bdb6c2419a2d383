/**
 * Tells when the caller of a request has gone. A caller may go while its request waits, before anybody listens: the
 * event `close` of its reply is then over.
 */
import type { ServerResponse } from 'node:http';

/** The abort reason of every request and stream. Creating an error for each would cost as much as a small request. */
export const GONE = new Error('the caller has gone');

type Reply = Pick<ServerResponse, 'destroyed' | 'once'>;

/** Calls a function when the reply has ended or its connection is closed; at once if that has already happened. */
export function whenGone(reply: Reply, then: () => void): void {
  if (reply.destroyed) then();
  else reply.once('close', then);
}

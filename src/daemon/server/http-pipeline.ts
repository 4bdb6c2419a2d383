/**
 * Begins the requests of one connection one after the other.
 *
 * A client may send requests without waiting for replies (pipelining). Node reads 64 KiB at a time and emits all
 * requests in them, more than a thousand, in one turn of the event loop. Here a request begins in a turn of its own,
 * when the reply to the previous request has ended. Replies have to be sent in this order in any case. A connection
 * with more than MAX_WAITING requests that have not begun is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const MAX_WAITING = 1_000;

type Take = (request: IncomingMessage, response: ServerResponse) => void;

export function serializePipelined(take: Take): Take {
  /** The requests of each connection that have not begun. A connection with a request in progress has a list. */
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = (): void => {
      response.once('close', () => {
        const next = waiting.get(socket)?.shift();
        if (next && !socket.destroyed) setImmediate(next);
        else waiting.delete(socket);
      });
      take(request, response);
    };
    const before = waiting.get(socket);
    if (before) {
      before.push(begin);
      if (before.length > MAX_WAITING) socket.destroy();
    } else {
      waiting.set(socket, []);
      begin();
    }
  };
}

/**
 * Begins the requests of one connection one after the other.
 *
 * A client may send requests without waiting for replies (pipelining). Node reads 64 KiB at a time and emits all
 * requests in them, more than a thousand, in one turn of the event loop. Here a request begins in a turn of its own,
 * when the reply to the previous request has ended. Replies have to be sent in this order in any case. A connection
 * with more than MAX_WAITING requests that have not begun is closed, and the rest of its bytes is not parsed: parsing
 * 64 KiB of the shortest requests takes 15 ms, and hundreds of connections may send that at the same time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Known clients send at most 10 requests at a time. */
export const MAX_WAITING = 16;

type Take = (request: IncomingMessage, response: ServerResponse) => void;

export function serializePipelined(take: Take): Take {
  /** The requests of each connection that have not begun. A connection with a request in progress has a list. */
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
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
      if (before.length >= MAX_WAITING) {
        stopParsing(socket);
        socket.destroy();
      } else before.push(begin);
    } else {
      waiting.set(socket, []);
      begin();
    }
  };
}

/** Internals of Node: the parser of a connection calls the function at this index after the headers of a request. */
interface WithParser {
  readonly parser?: Record<number, unknown> & { readonly constructor: { readonly kOnHeadersComplete?: number } };
}

/** The value that tells the parser that no HTTP follows, as after an upgrade to another protocol. */
const NO_HTTP = 2;

/** Has the parser skip the rest of what was read. Without these internals it goes on, which only takes longer. */
function stopParsing(socket: Socket & WithParser): void {
  const { parser } = socket;
  const index = parser?.constructor.kOnHeadersComplete;
  const before = index === undefined ? undefined : parser?.[index];
  if (!parser || index === undefined || typeof before !== 'function') return;
  // Node uses the parser for another connection later.
  const restore = (): void => {
    parser[index] = before;
  };
  parser[index] = () => {
    restore();
    return NO_HTTP;
  };
  socket.once('close', restore);
}

/** The event stream to one client, in the form it asks for: NDJSON, SSE, or a WebSocket's text messages. */
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { EventFilter, EventHub, EventLine } from '../event-hub.js';

export interface StreamRequest {
  readonly filter: EventFilter;
  readonly follow: boolean;
  readonly limit: number;
  readonly form: 'ndjson' | 'sse';
}

/** A WebSocket client with more than this unsent is waited for. */
const MAX_QUEUED_BYTES = 1024 * 1024;

const FORMS = {
  ndjson: { type: 'application/x-ndjson', encode: ({ line }: EventLine) => `${line}\n` },
  sse: { type: 'text/event-stream', encode: ({ seq, line }: EventLine) => `id: ${seq}\ndata: ${line}\n\n` },
} as const;

/** Writes until the client leaves, or, unless it follows, to the end of the log. One write for all that is there. */
export async function streamEvents(
  response: ServerResponse,
  request: StreamRequest,
  hub: EventHub,
  signal: AbortSignal,
): Promise<void> {
  const { type, encode } = FORMS[request.form];
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  const reader = hub.reader(request.filter, signal);
  let left = request.limit;
  while (left > 0) {
    const lines = await reader.read(request.follow);
    if (lines === null || lines.length === 0) break;
    const some = lines.slice(0, left);
    left -= some.length;
    const text = some.map(encode).join('');
    if (!response.write(text)) await drained(response, signal);
  }
  response.end();
}

export async function sendEvents(
  socket: WebSocket,
  filter: EventFilter,
  hub: EventHub,
  signal: AbortSignal,
): Promise<void> {
  const reader = hub.reader(filter, signal);
  for (;;) {
    const lines = await reader.read(true);
    if (lines === null) return;
    let sent: Promise<void> | null = null;
    for (const { line } of lines) {
      sent = new Promise((resolve) => socket.send(line, () => resolve()));
    }
    if (socket.bufferedAmount > MAX_QUEUED_BYTES) await sent;
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done);
  });
}

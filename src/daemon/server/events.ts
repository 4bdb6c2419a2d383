/** Sends the event stream to one client, in the requested form: NDJSON, SSE, or text messages of a WebSocket. */
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { CLOSE, OrchdError } from '../../protocol/index.js';
import type { EventBus, EventFilter, EventLine } from '../events/index.js';

interface StreamRequest {
  readonly filter: EventFilter;
  readonly follow: boolean;
  readonly limit: number;
  readonly form: 'ndjson' | 'sse';
}

/** The daemon waits before it sends more to a WebSocket client with more unsent bytes than this. */
const MAX_QUEUED_BYTES = 1024 * 1024;

const FORMS = {
  ndjson: { type: 'application/x-ndjson', encode: ({ line }: EventLine) => `${line}\n` },
  sse: { type: 'text/event-stream', encode: ({ seq, line }: EventLine) => `id: ${seq}\ndata: ${line}\n\n` },
} as const;

interface Encoded {
  /** The form, the filter, the number of events, the first and the last. */
  readonly key: string;
  /** The first line, compared too: a `gap` can have the same `seq` as a removed event. */
  readonly first: string;
  readonly bytes: Buffer;
}

/** The last encoded bytes, which are shared by all readers at the same position. */
const lastEncoded = new WeakMap<EventBus, Encoded>();

function encode(lines: readonly EventLine[], { form, filter }: StreamRequest, bus: EventBus): Buffer {
  const { types = [], sessionId = '', isSeen } = filter;
  if (isSeen) return Buffer.from(lines.map(FORMS[form].encode).join(''));
  const key = [form, sessionId, ...types, lines.length, lines[0]?.seq, lines.at(-1)?.seq].join(' ');
  const first = lines[0]?.line ?? '';
  const known = lastEncoded.get(bus);
  if (known?.key === key && known.first === first) return known.bytes;
  const bytes = Buffer.from(lines.map(FORMS[form].encode).join(''));
  lastEncoded.set(bus, { key, first, bytes });
  return bytes;
}

/**
 * Writes events until the client disconnects or, without `follow`, to the end of the log. All available events are one
 * write. If the log becomes unreadable, the stream is cut. The client then reconnects and gets the error.
 * @param begin Called before the response is written to.
 * @throws {OrchdError} ORCHD_STORE_CORRUPT if the log cannot be read; nothing was written then.
 */
export async function streamEvents(
  response: ServerResponse,
  request: StreamRequest,
  bus: EventBus,
  signal: AbortSignal,
  begin: () => void,
): Promise<void> {
  const reader = bus.reader(request.filter, signal);
  const first = await reader.read(false);
  begin();
  response.writeHead(200, {
    'content-type': FORMS[request.form].type,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    response.end(); // Node sends no body for it, and a stream that follows would not end.
    return;
  }
  try {
    let left = request.limit;
    for (let lines = first; ; lines = await reader.read(request.follow)) {
      if (lines === null || (lines.length === 0 && lines !== first)) break;
      const some = lines.length <= left ? lines : lines.slice(0, left);
      left -= some.length;
      if (some.length > 0 && !response.write(encode(some, request, bus))) await drained(response, signal);
      if (left === 0) break; // not in the head of the loop, which would first wait for one more event
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

export async function sendEvents(
  socket: WebSocket,
  filter: EventFilter,
  bus: EventBus,
  signal: AbortSignal,
): Promise<void> {
  const reader = bus.reader(filter, signal);
  for (;;) {
    const lines = await reader.read(true).catch((error: unknown) => {
      socket.close(CLOSE.failed, error instanceof OrchdError ? error.code : '');
      throw error;
    });
    if (lines === null || socket.readyState !== socket.OPEN) return;
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

/**
 * The event stream: NDJSON in one endless reply.
 *
 * In:   the first `seq`, types and a session.
 * Out:  events in order, each once. After a disconnect the stream reconnects and continues after the last event, so no
 *       event is missed while the daemon is replaced. A `gap` says that events were pruned before they were read.
 * Buffers at most one line. A slow consumer slows down only its own stream.
 */
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { type Event, type EventListInput, type GapEvent, OrchdError, toRequest } from '../protocol/index.js';
import { closedError, type Line, send, silence, toLineError } from './request.js';

export type EventType = Event['event_type'];
/** The events of some types. */
export type EventOf<T extends EventType> = Extract<Event, { readonly event_type: T }>;

export interface EventsOptions<T extends EventType = EventType> extends Omit<EventListInput, 'type'> {
  /** Only events of these types. */
  readonly type?: readonly T[];
  /** Reconnect after a disconnect; only with `follow`. Default: true. The first connection must succeed. */
  readonly reconnect?: boolean;
  /** Called after a disconnect and after a reconnect. */
  readonly onConnection?: (isConnected: boolean) => void;
  readonly signal?: AbortSignal;
}

interface StreamPorts {
  readonly line: Line;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Returns the newest `seq`, for a stream that begins with the next event. */
  readonly lastSeq: () => Promise<number>;
}

/** Maximum length of an event line. The daemon accepts requests of 4 MiB and smaller messages. */
const MAX_LINE_CHARS = 16 * 1024 * 1024;
const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 2_000;

/** Ends when the log ends (without `follow`) or when the signal aborts. Throws the daemon's errors. */
export async function* streamEvents(
  ports: StreamPorts,
  options: EventsOptions,
): AsyncGenerator<Event | GapEvent, void> {
  const { reconnect = true, onConnection, signal: _own, type, ...rest } = options;
  const input = { ...(type && { type: [...type] }), ...rest };
  const { signal } = ports;
  const isLasting = reconnect && input.follow === true;
  try {
    // Without a start number, events during a disconnect would be missed.
    let since = input.since ?? (isLasting ? await ports.lastSeq() : undefined);
    let reply = await open(ports, { ...input, since });
    for (;;) {
      try {
        for await (const event of readEvents(reply)) {
          const seq = event.event_type === 'gap' ? event.to : event.seq;
          if (since !== undefined && seq <= since) continue;
          since = seq;
          yield event;
        }
        if (!isLasting) return;
      } catch (error) {
        if (signal.aborted) return;
        if (!isLasting || error instanceof OrchdError) throw toLineError(error, ports.line);
      } finally {
        reply.destroy(); // the consumer may have left the loop
      }
      onConnection?.(false);
      reply = await openAgain(ports, { ...input, since });
      onConnection?.(true);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type OpenInput = Omit<EventListInput, 'since'> & { since: number | undefined };

async function open({ line, timeoutMs, signal }: StreamPorts, input: OpenInput): Promise<IncomingMessage> {
  if (signal.aborted) throw closedError();
  const { since, ...rest } = input;
  const { path } = toRequest('event.list', since === undefined ? rest : { ...rest, since });
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    const reply = await send(line, { method: 'GET', path, accept: 'application/x-ndjson' }, (end) => {
      onAbort = () => end(closedError());
      signal.addEventListener('abort', onAbort);
      timer = setTimeout(() => end(silence(line, timeoutMs)), timeoutMs);
    });
    reply.once('close', () => signal.removeEventListener('abort', onAbort));
    return reply;
  } catch (error) {
    signal.removeEventListener('abort', onAbort);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reconnects until it succeeds or the daemon refuses, with increasing pauses. */
async function openAgain(ports: StreamPorts, input: OpenInput): Promise<IncomingMessage> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)) {
    await sleep(waitMs, undefined, { signal: ports.signal });
    try {
      return await open(ports, input);
    } catch (error) {
      const isAway =
        error instanceof OrchdError &&
        (error.code === 'ORCHD_DAEMON_UNREACHABLE' || error.code === 'ORCHD_DAEMON_SILENT');
      if (!isAway || ports.signal.aborted) throw error;
    }
  }
}

async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<Event | GapEvent, void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const bytes of body) {
    const text = decoder.write(bytes);
    if (rest.length + text.length > MAX_LINE_CHARS) throw new OrchdError('ORCHD_INTERNAL', 'an event line has no end');
    if (!text.includes('\n')) {
      rest += text; // joined once, when the line is complete
      continue;
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parseEvent(line);
  }
}

function parseEvent(line: string): Event | GapEvent {
  try {
    return JSON.parse(line) as Event | GapEvent; // the daemon sends only these
  } catch (error) {
    throw new OrchdError(
      'ORCHD_STORE_CORRUPT',
      'the daemon sent an event that is not JSON',
      { line: line.slice(0, 200) },
      error,
    );
  }
}

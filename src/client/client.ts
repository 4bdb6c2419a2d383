/**
 * The connection to the daemon over its Unix socket: typed calls, the event stream and terminals.
 *
 * Connections are opened, and modules loaded, only when needed. Each call has its own connection.
 */
import { setMaxListeners } from 'node:events';
import type { GapEvent, InputOf, OperationName, OutputOf } from '../protocol/index.js';
import { type CallOptions, callOperation, patienceMs } from './call.js';
import type { EventOf, EventsOptions, EventType } from './events.js';
import { createLine } from './request.js';
import type { Terminal, TerminalOptions } from './terminal.js';

export interface ClientOptions {
  readonly socketPath: string;
  /** The name by which the daemon knows this client: cli, tui, … */
  readonly clientName: string;
  /**
   * Token of the session that this client runs in (`ORCHD_SESSION_TOKEN`). Outside a session no token is needed on the
   * socket.
   */
  readonly token?: string | undefined;
  /** Timeout for a reply in milliseconds. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Closes the client. */
  readonly signal?: AbortSignal;
}

export interface Client {
  /** @throws {OrchdError} The daemon's error, or ORCHD_DAEMON_UNREACHABLE, ORCHD_DAEMON_SILENT. */
  call<N extends OperationName>(name: N, input: InputOf<N>, options?: CallOptions): Promise<OutputOf<N>>;
  /** Returns the events in the log and, with `follow`, later ones. Leaving the loop closes the stream. */
  events<T extends EventType = EventType>(options?: EventsOptions<T>): AsyncIterable<EventOf<T> | GapEvent>;
  terminal(session: string, options?: TerminalOptions): Promise<Terminal>;
  /** Ends every call (ORCHD_DAEMON_UNREACHABLE), stream (as at the end of the log) and terminal. */
  close(): void;
}

/** The daemon answers in milliseconds. After this time, a stopped or swapped-out daemon is reported as silent. */
const DEFAULT_TIMEOUT_MS = 10_000;
/** Time for a terminal of another machine, in addition to the timeout: the daemon asks that machine. */
const MACHINE_MS = 10_000;

/**
 * Creates a client of the daemon. Connects only when a call, stream or terminal needs it.
 *
 * @param options  Without `timeoutMs`, a call waits DEFAULT_TIMEOUT_MS for its reply. Aborting `signal` closes the
 *   client.
 */
export function createClient(options: ClientOptions): Client {
  const { socketPath, clientName, token, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const line = createLine(socketPath, clientName, token);
  /** Functions that end the running calls. */
  const ends = new Set<() => void>();
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    options.signal?.removeEventListener('abort', close);
    for (const end of ends) end();
  };
  options.signal?.addEventListener('abort', close);
  if (options.signal?.aborted) close();

  /** Calls `end` when the client is closed or the signal aborts. Returns a function that removes it. */
  const untilEither = (end: () => void, signal?: AbortSignal): (() => void) => {
    ends.add(end);
    signal?.addEventListener('abort', end);
    if (isClosed || signal?.aborted) end();
    return () => {
      ends.delete(end);
      signal?.removeEventListener('abort', end);
    };
  };
  let closing: AbortSignal | undefined;
  /** A signal that aborts when the client is closed. Created on demand, because most commands only make calls. */
  const closeSignal = (): AbortSignal => {
    if (closing) return closing;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal); // every stream adds a listener
    untilEither(() => controller.abort());
    closing = controller.signal;
    return closing;
  };
  const signalOf = (signal?: AbortSignal): AbortSignal =>
    signal ? AbortSignal.any([closeSignal(), signal]) : closeSignal();

  const client: Client = {
    call: (name, input, own = {}) =>
      callOperation(line, name, input, own.timeoutMs ?? timeoutMs + patienceMs(name, input), (end) =>
        untilEither(end, own.signal),
      ),
    async *events<T extends EventType>(own: EventsOptions<T> = {}) {
      const { streamEvents } = await import('./events.js');
      const lastSeq = async () => (await client.call('daemon.status', {})).last_seq;
      const events = streamEvents({ line, timeoutMs, signal: signalOf(own.signal), lastSeq }, own);
      yield* events as AsyncIterable<EventOf<T> | GapEvent>; // the daemon sends only these types
    },
    async terminal(session, own = {}) {
      const { openTerminal } = await import('./terminal.js');
      const openMs = timeoutMs + (own.machine === undefined ? 0 : MACHINE_MS);
      return openTerminal(line, session, own, openMs, signalOf(own.signal));
    },
    close,
  };
  return client;
}

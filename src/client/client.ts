/**
 * The connection to the daemon: typed calls, the event stream and terminals, over its Unix socket.
 *
 * Nothing is opened before it is needed; a call's connection ends with it.
 */
import { setMaxListeners } from 'node:events';
import type { Event, GapEvent, InputOf, OperationName, OutputOf } from '../protocol/index.js';
import { type CallOptions, callOperation, patienceMs } from './call.js';
import { type EventsOptions, streamEvents } from './events.js';
import { createLine } from './request.js';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.js';

export interface ClientOptions {
  readonly socketPath: string;
  /** How the daemon names this client: cli, tui, … */
  readonly clientName: string;
  /** Inside of a session its own token (`ORCHD_SESSION_TOKEN`); a person needs none on the socket. */
  readonly token?: string | undefined;
  /** For a reply. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Closes the client. */
  readonly signal?: AbortSignal;
}

export interface Client {
  /** @throws {OrchdError} The daemon's, or ORCHD_DAEMON_UNREACHABLE, ORCHD_DAEMON_SILENT. */
  call<N extends OperationName>(name: N, input: InputOf<N>, options?: CallOptions): Promise<OutputOf<N>>;
  /** Events as they are, or, with `follow`, as they come. Leaving the loop closes the stream. */
  events(options?: EventsOptions): AsyncIterable<Event | GapEvent>;
  terminal(session: string, options?: TerminalOptions): Promise<Terminal>;
  /** Ends every call (ORCHD_DAEMON_UNREACHABLE), stream (as if the log ended) and terminal. */
  close(): void;
}

/** The daemon answers in milliseconds; one that is stopped or swapped out is said to be silent after this. */
const DEFAULT_TIMEOUT_MS = 10_000;

export function createClient(options: ClientOptions): Client {
  const { socketPath, clientName, token, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const line = createLine(socketPath, clientName, token);
  const end = new AbortController();
  setMaxListeners(0, end.signal); // every call under way listens
  const close = (): void => {
    options.signal?.removeEventListener('abort', close);
    end.abort();
  };
  options.signal?.addEventListener('abort', close);
  if (options.signal?.aborted) close();
  const untilEither = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([end.signal, signal]) : end.signal;

  const client: Client = {
    call: (name, input, own = {}) =>
      callOperation(line, name, input, own.timeoutMs ?? timeoutMs + patienceMs(name, input), untilEither(own.signal)),
    events: (own = {}) =>
      streamEvents(
        {
          line,
          timeoutMs,
          signal: untilEither(own.signal),
          lastSeq: async () => (await client.call('daemon.status', {})).last_seq,
        },
        own,
      ),
    terminal: (session, own = {}) => openTerminal(line, session, own, timeoutMs, untilEither(own.signal)),
    close,
  };
  return client;
}

/**
 * The connection to the daemon: typed calls, the event stream and terminals, over its Unix socket.
 *
 * Nothing is opened, or loaded, before it is needed; a call's connection ends with it.
 */
import { setMaxListeners } from 'node:events';
import type { Event, GapEvent, InputOf, OperationName, OutputOf } from '../protocol/index.js';
import { type CallOptions, callOperation, patienceMs } from './call.js';
import type { EventsOptions } from './events.js';
import { createLine } from './request.js';
import type { Terminal, TerminalOptions } from './terminal.js';

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
  /** What ends each call that is under way. */
  const ends = new Set<() => void>();
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    options.signal?.removeEventListener('abort', close);
    for (const end of ends) end();
  };
  options.signal?.addEventListener('abort', close);
  if (options.signal?.aborted) close();

  /** Until the client is closed, or the signal aborts. @returns What takes this back. */
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
  /** For what takes signals. Made when it is needed: most commands are calls alone. */
  const closeSignal = (): AbortSignal => {
    if (closing) return closing;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal); // every stream listens
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
    async *events(own = {}) {
      const { streamEvents } = await import('./events.js');
      const lastSeq = async () => (await client.call('daemon.status', {})).last_seq;
      yield* streamEvents({ line, timeoutMs, signal: signalOf(own.signal), lastSeq }, own);
    },
    async terminal(session, own = {}) {
      const { openTerminal } = await import('./terminal.js');
      return openTerminal(line, session, own, timeoutMs, signalOf(own.signal));
    },
    close,
  };
  return client;
}

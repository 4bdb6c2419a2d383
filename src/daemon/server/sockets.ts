/**
 * The WebSockets: the event stream and the terminal streams. A client is known by the header of its request, or, with
 * `hello=true`, by its first message (hello.ts).
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  CLOSE,
  ERRORS,
  MAX_BODY_BYTES,
  OPERATIONS,
  type OperationEntry,
  OrchdError,
  TERMINAL_PATH,
} from '../../protocol/index.js';
import {
  checkAddress,
  type EventFilterPorts,
  eventFilter,
  type Identity,
  identify,
  type ListenerAddress,
  mayType,
  type ParentAnswersPorts,
  permit,
  type Secrets,
} from '../access/index.js';
import type { Log } from '../log.js';
import type { HubMembership, OpenedTerminal } from '../machines/index.js';
import type { MetricsPorts } from '../metrics/index.js';
import type { TerminalRequest, TerminalSocket, Terminals } from '../terminals/index.js';
import { clientOf, permitTyping } from '../web/index.js';
import { serveChannels } from './channels.js';
import { sendEvents } from './events.js';
import { acceptHello, type HelloPorts, helloClients } from './hello.js';
import { readInput } from './input.js';
import { decode, toOrchdError, urlOf } from './problem.js';
import { DISCONNECTED } from './when-disconnected.js';

export interface SocketPorts
  extends EventFilterPorts,
    ParentAnswersPorts,
    Pick<MetricsPorts, 'watchers'>,
    Pick<HelloPorts, 'devices'> {
  readonly terminals: Terminals;
  readonly log: Log;
  readonly membership: Pick<HubMembership, 'openTerminal'>;
  readonly secrets: Secrets;
}

/** Maximum time for sending the close frames when the daemon stops. */
const FAREWELL_MS = 250;
/** The longest time between two frames of a view. */
const MAX_PAUSE_MS = 60_000;
const { path: EVENT_PATH, alias: EVENT_ALIAS }: OperationEntry = OPERATIONS['event.list'];
const TERMINAL = new RegExp(`^${TERMINAL_PATH.replace('{session}', '([^/]+)')}$`);

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_BODY_BYTES });

/** Closes every WebSocket with code 1001, so that clients reconnect. Connections that stay open are terminated. */
export async function sayFarewell(): Promise<void> {
  const clients = [...sockets.clients, ...helloClients()];
  const closed = clients.map((ws) => new Promise((resolve) => ws.once('close', resolve)));
  for (const ws of clients) ws.close(CLOSE.goingAway, 'the daemon stops');
  const timer = new AbortController();
  const late = sleep(FAREWELL_MS, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([Promise.all(closed), late]);
  timer.abort();
  for (const ws of clients) ws.terminate();
}

export function upgrade(
  ports: SocketPorts,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  place: ListenerAddress | null,
): void {
  socket.on('error', () => socket.destroy()); // a client may disconnect at any time, especially a refused one
  try {
    const url = urlOf(request.url ?? '/');
    if (url.searchParams.get('hello') === 'true' && request.headers.authorization === undefined) {
      if (place) checkAddress(request, place);
      acceptHello(ports, request, socket, head, (identity) => prepare(ports, url, identity));
      return;
    }
    const identity = identify(request, place, ports.secrets);
    const [terminal, machine] = [TERMINAL.exec(url.pathname)?.[1], url.searchParams.get('machine')];
    if (terminal !== undefined && machine !== null) {
      const wanted = { machine, session: decode(terminal), query: url.searchParams };
      openThere(ports, identity, wanted, socket).then(
        (opened) => {
          let isBegun = false;
          sockets.handleUpgrade(request, socket, head, (ws) => {
            isBegun = true;
            ws.on('close', ports.watchers.add('terminal'));
            opened.serve(ws);
          });
          if (!isBegun) opened.cancel(); // the client has gone
        },
        (error: unknown) => refuse(socket, error),
      );
      return;
    }
    const begin = prepare(ports, url, identity);
    sockets.handleUpgrade(request, socket, head, begin);
  } catch (error) {
    refuse(socket, error);
  }
}

function refuse(socket: Duplex, error: unknown): void {
  const known = toOrchdError(error);
  const body = JSON.stringify(known.toProblem());
  const { status } = ERRORS[known.code];
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ` +
      `${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Opens a terminal of another machine. As with every command to another machine, that is for a person to do.
 *
 * @throws {OrchdError} ORCHD_FORBIDDEN, ORCHD_WEB_ROLE, ORCHD_INVALID; those of `HubMembership.openTerminal`.
 */
async function openThere(
  ports: SocketPorts,
  { session: caller, device }: Identity,
  { machine, session, query }: { readonly machine: string; readonly session: string; readonly query: URLSearchParams },
  socket: { on(name: 'close', listener: () => void): unknown },
): Promise<OpenedTerminal> {
  permit(caller, 'person', null, ports.registry);
  const wanted = terminalRequest(query);
  if (wanted.mode !== 'attach')
    throw new OrchdError('ORCHD_INVALID', `mode '${wanted.mode}' works with sessions of this machine only`);
  if (device && !wanted.isReadOnly) permitTyping(device);
  const gone = new AbortController();
  socket.on('close', () => gone.abort(DISCONNECTED));
  const client = device ? clientOf(device) : 'terminal';
  return ports.membership.openTerminal(machine, session, wanted, { device, client, signal: gone.signal });
}

/**
 * Checks the URL of a request.
 * @returns The function that begins the stream.
 */
function prepare(ports: SocketPorts, url: URL, identity: Identity): (ws: WebSocket) => void {
  const terminal = TERMINAL.exec(url.pathname)?.[1];
  if (terminal !== undefined) return openTerminal(ports, identity, decode(terminal), url.searchParams);
  if (url.pathname === EVENT_PATH || url.pathname === EVENT_ALIAS) {
    const query = new URLSearchParams(url.searchParams);
    query.delete('hello');
    const filter = eventFilter(ports, readInput('event.list', {}, query, undefined), identity.session);
    return (ws) => {
      ws.once('close', ports.watchers.add('events'));
      if (url.searchParams.has('hello')) serveChannels(ws, (...opened) => openForPage(ports, identity, ...opened));
      run(ports.log, ws, sendEvents(ws, filter, ports.bus, closed(ws)));
    };
  }
  throw new OrchdError('ORCHD_NOT_FOUND', `no WebSocket at ${url.pathname}`);
}

/**
 * Checks the request for a terminal stream.
 *
 * @returns The function that begins the stream.
 */
function openTerminal(ports: SocketPorts, { session, device }: Identity, name: string, query: URLSearchParams) {
  if (query.has('machine'))
    throw new OrchdError('ORCHD_INVALID', 'a terminal of another machine is opened in a channel of /api/events');
  const entry = ports.registry.session(name);
  const wanted = terminalRequest(query);
  permit(session, wanted.isReadOnly ? 'own' : 'started', entry, ports.registry);
  if (device && !wanted.isReadOnly) permitTyping(device);
  const request = { ...wanted, mayType: () => mayType(ports, session, entry) };
  return (socket: TerminalSocket): void => {
    socket.on('close', ports.watchers.add('terminal'));
    run(ports.log, socket, ports.terminals.serve(socket, entry, request));
  };
}

/** Begins the stream of a terminal on a page, of this machine or of another one. */
function openForPage(
  ports: SocketPorts,
  identity: Identity,
  session: string,
  query: URLSearchParams,
  channel: TerminalSocket,
): Promise<void> | null {
  const machine = query.get('machine');
  if (machine === null) {
    openTerminal(ports, identity, session, query)(channel);
    return null;
  }
  channel.pause(); // Holds the page's input until the remote terminal is open.
  return openThere(ports, identity, { machine, session, query }, channel).then((opened) => {
    if (channel.readyState !== channel.OPEN) return opened.cancel();
    channel.on('close', ports.watchers.add('terminal'));
    opened.serve(channel);
    channel.resume();
  });
}

function run(log: Log, ws: Pick<TerminalSocket, 'close'>, stream: Promise<void>): void {
  stream.catch((error: unknown) => {
    log.error('a WebSocket failed', error);
    ws.close(CLOSE.failed, toOrchdError(error).message.slice(0, 120));
  });
}

function closed(ws: WebSocket): AbortSignal {
  const gone = new AbortController();
  ws.on('close', () => gone.abort(DISCONNECTED));
  ws.on('error', () => gone.abort(DISCONNECTED));
  return gone.signal;
}

function terminalRequest(query: URLSearchParams): TerminalRequest {
  const mode = query.get('mode') ?? 'attach';
  if (mode !== 'attach' && mode !== 'stream' && mode !== 'view') {
    throw new OrchdError('ORCHD_INVALID', `mode must be attach, stream or view, not '${mode}'`);
  }
  const [cols, rows] = [Number(query.get('cols')), Number(query.get('rows'))];
  const hasSize = [cols, rows].every((value) => Number.isInteger(value) && value >= 1 && value <= 1000);
  const isReadOnly = query.get('read_only') === 'true';
  const isPainted = query.get('painted') === 'true';
  const position = query.get('from');
  if (position !== null && !/^\d{1,15}$/.test(position)) {
    throw new OrchdError('ORCHD_INVALID', `from '${position}' is not a position in a journal`);
  }
  const from = position === null ? null : Number(position);
  const tellsPositions = query.get('positions') === 'true';
  const pauseMs = Math.min(Math.max(Number(query.get('pause_ms')) || 0, 0), MAX_PAUSE_MS);
  return { mode, size: hasSize ? { cols, rows } : null, isReadOnly, isPainted, pauseMs, from, tellsPositions };
}

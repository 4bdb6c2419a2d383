/**
 * The HTTP and WebSocket server, on a Unix socket and on loopback TCP, with the same routes on both.
 *
 * Routes are derived from the operation table; in addition there are the event stream and the terminal stream.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  ERRORS,
  type InputOf,
  METRICS_PATH,
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  OrchdError,
  TERMINAL_PATH,
} from '../../protocol/index.js';
import { eventFilter, identify, needSight, permit, type SightPorts, seen } from '../access/index.js';
import type { Handlers } from '../handlers/index.js';
import type { Log } from '../log.js';
import { collectMetrics, type MetricsPorts, PROMETHEUS_TYPE, prometheusText } from '../metrics/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Terminals } from '../terminals/index.js';
import { createBodyReader } from './body.js';
import { sendEvents, streamEvents } from './events.js';
import { inOrder } from './in-order.js';
import { readInput } from './input.js';
import { listen, listenOnTcp, type TcpListener, type WantedTcp } from './listening.js';
import { type McpPorts, serveMcp } from './mcp.js';

export interface ServerPorts extends SightPorts, MetricsPorts, McpPorts {
  readonly handlers: Handlers;
  readonly terminals: Terminals;
  readonly log: Log;
  readonly token: string;
  readonly socketPath: string;
  readonly tcp: WantedTcp;
}

export interface DaemonServer {
  readonly tcp: TcpListener;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_KEY_CHARS = 200;
/** Requests that came over TCP, marked by their listener, because a closed socket no longer tells its origin. */
const overTcp = new WeakSet<IncomingMessage>();
/** The caller of each request in progress: a session, or null for a person. Set before the body is parsed. */
const callers = new WeakMap<IncomingMessage, SessionEntry | null>();
/** Time for clients to receive that the daemon stops. */
const FAREWELL_MS = 250;
/** The abort reason of every request. It is shared, because creating an error costs as much as a small request. */
const GONE = new Error('the caller has gone');
const { path: EVENT_PATH, alias: EVENT_ALIAS }: OperationEntry = OPERATIONS['event.list'];

/** @throws {OrchdError} ORCHD_STORE_LOCKED if another daemon answers on the socket; ORCHD_PORT as `listenOnTcp`. */
export async function serve(ports: ServerPorts): Promise<DaemonServer> {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => void fail(ports, error, request, reply),
  });
  setUp(app, ports);
  await app.ready();
  const servers: Server[] = [];
  const open = (isTcp: boolean): Server => {
    const server = createServer(
      inOrder((request, response) => {
        if (isTcp) overTcp.add(request);
        app.routing(request, response);
      }),
    );
    server.requestTimeout = 0; // waits and streams take long on purpose
    server.on('upgrade', (request, socket, head) => upgrade(ports, request, socket, head, isTcp));
    servers.push(server);
    return server;
  };
  await removeStale(ports.socketPath);
  const before = process.umask(0o177);
  const listening = listen(open(false), { path: ports.socketPath }); // binds before it returns
  process.umask(before);
  await listening;
  chmodSync(ports.socketPath, 0o600);
  const tcp = await listenOnTcp(ports.tcp, () => open(true), ports.log);
  return {
    tcp,
    async close() {
      for (const server of servers) server.close();
      await sayFarewell();
      for (const server of servers) server.closeAllConnections();
      await app.close();
    },
  };
}

/** Removes a socket file without a listener, which a killed daemon has left. */
function removeStale(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = connect(path);
    probe.on('connect', () => {
      probe.destroy();
      reject(new OrchdError('ORCHD_STORE_LOCKED', `another daemon answers on ${path}`));
    });
    probe.on('error', (error: NodeJS.ErrnoException) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat && !stat.isSocket()) {
        reject(new OrchdError('ORCHD_SOCKET_PATH', `${path} is there and is no socket; it is left as it is`));
        return;
      }
      if (error.code === 'ECONNREFUSED') unlinkSync(path);
      resolve();
    });
  });
}

// ── requests ────────────────────────────────────────────────────────────────────────────────────────────────────────

function setUp(app: FastifyInstance, ports: ServerPorts): void {
  // This hook runs before the body is parsed, so a caller without a valid token costs no more than its headers.
  app.addHook('onRequest', async ({ raw }) => {
    callers.set(raw, identify(raw, overTcp.has(raw), ports.token, ports.registry));
  });
  const readBody = createBodyReader();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    readBody(String(body), done),
  );
  app.setErrorHandler((error, request, reply) => fail(ports, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const error = new OrchdError('ORCHD_NOT_FOUND', `no route ${request.method} ${request.url}`);
    return reply.code(404).send(error.toProblem());
  });
  app.get(METRICS_PATH, async (_request, reply) => {
    const { families } = await collectMetrics(ports);
    return reply.header('content-type', PROMETHEUS_TYPE).send(prometheusText(families));
  });
  serveMcp(app, ports, callerOf);
  for (const [name, entry] of Object.entries(OPERATIONS) as [OperationName, OperationEntry][]) {
    for (const path of entry.alias ? [entry.path, entry.alias] : [entry.path]) {
      app.route({
        method: entry.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: (request, reply) => handle(ports, name, entry, request, reply),
      });
    }
  }
}

/**
 * Returns the session whose token the request carries, or null for a person.
 *
 * @throws {OrchdError} ORCHD_INTERNAL if the request was never identified: it must not count as a person's.
 */
function callerOf({ raw }: FastifyRequest): SessionEntry | null {
  const caller = callers.get(raw);
  if (caller === undefined) throw new OrchdError('ORCHD_INTERNAL', `${raw.method} ${raw.url} was not identified`);
  return caller;
}

async function handle(
  ports: ServerPorts,
  name: OperationName,
  entry: OperationEntry,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const session = callerOf(request);
  const url = urlOf(request.url);
  const input = readInput(name, request.params as Record<string, unknown>, url.searchParams, request.body);
  await ports.catchingUp.need(name, input);
  permit(session, entry.scope, targetOf(ports, input), ports.registry);
  needSight(ports, session, name, input);
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort(GONE));
  // the name determines the input's type
  const wanted = name === 'event.list' ? (input as InputOf<'event.list'>) : null;
  const isAlias = url.pathname === entry.alias;
  const form = wanted ? streamForm(request, wanted.follow === true, isAlias) : null;
  if (wanted && form) {
    const { follow = false, limit = Number.POSITIVE_INFINITY } = wanted;
    const filter = eventFilter(ports, wanted, session, request.headers['last-event-id']);
    const since = filter.since ?? (follow ? undefined : 0);
    const done = ports.watchers.add('events');
    return streamEvents(
      reply.raw,
      { filter: { ...filter, since }, follow, limit, form },
      ports.hub,
      gone.signal,
      () => reply.hijack(), // not before: an error is an ordinary reply
    ).finally(done);
  }
  const client = String(request.headers['x-orchd-client'] ?? 'api').slice(0, 32);
  // the name determines the input's type
  const run = ports.handlers[name] as (input: unknown, caller: object) => Promise<unknown>;
  const requestKey = String(request.headers['idempotency-key'] ?? '').slice(0, MAX_KEY_CHARS) || null;
  const afterReply = (then: () => void): void => void reply.raw.once('finish', then);
  const output = await run(input, { session, client, signal: gone.signal, requestKey, afterReply });
  return reply.code(entry.status ?? 200).send(seen(ports, session, name, output));
}

/** Returns the session that an operation concerns: for a run, a task or a workflow run, the session that started it. */
function targetOf({ registry, runs, tasks, workflows }: SightPorts, input: object): SessionEntry | null {
  const { session, run, task, workflow } = input as Readonly<Record<string, unknown>>; // checked one by one
  if (typeof session === 'string') return registry.session(session);
  const about =
    typeof run === 'string'
      ? runs.shelf.show(run)
      : typeof task === 'string'
        ? tasks.show(task)
        : typeof workflow === 'string'
          ? workflows.show(workflow)
          : null;
  const parent = about?.parent_session_id ?? null;
  return parent === null ? null : (registry.get(parent) ?? null);
}

/**
 * Returns the form of an event stream; null for a JSON array.
 *
 *     text/event-stream                    SSE
 *     application/json                     an array; with `follow` NDJSON, because an endless stream is no array
 *     application/x-ndjson                 NDJSON
 *     anything else                        NDJSON at /api/events; at the alias /events an array unless `follow`
 */
function streamForm(request: FastifyRequest, follow: boolean, isAlias: boolean): 'ndjson' | 'sse' | null {
  const accept = request.headers.accept ?? '*/*';
  if (accept.includes('text/event-stream')) return 'sse';
  if (follow) return 'ndjson';
  if (accept.includes('application/json')) return null;
  return isAlias && !accept.includes('ndjson') ? null : 'ndjson';
}

function fail(ports: ServerPorts, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = toOrchdError(error);
  if (known.code === 'ORCHD_INTERNAL') ports.log.error(`${request.method} ${request.url} failed`, error);
  return reply.code(ERRORS[known.code].status).send(known.toProblem());
}

function toOrchdError(error: unknown): OrchdError {
  if (error instanceof OrchdError) return error;
  const { code, message, statusCode } = error as { code?: string; message?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new OrchdError('ORCHD_TOO_LARGE', 'the body has more than 4 MiB');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new OrchdError('ORCHD_INVALID', 'the body must be JSON, with content-type: application/json');
  }
  if (statusCode !== undefined && statusCode < 500)
    return new OrchdError('ORCHD_INVALID', message ?? 'the request is not valid');
  return new OrchdError('ORCHD_INTERNAL', message ?? 'an unknown error', undefined, error);
}

// ── WebSockets ──────────────────────────────────────────────────────────────────────────────────────────────────────

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_BODY_BYTES });
/** Closes every WebSocket with 1001, so that clients reconnect, and ends those that do not close. */
async function sayFarewell(): Promise<void> {
  const clients = [...sockets.clients];
  const closed = clients.map((ws) => new Promise((resolve) => ws.once('close', resolve)));
  for (const ws of clients) ws.close(1001, 'the daemon stops');
  const timer = new AbortController();
  const late = setTimeout(FAREWELL_MS, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([Promise.all(closed), late]);
  timer.abort();
  for (const ws of sockets.clients) ws.terminate();
}

const TERMINAL = new RegExp(`^${TERMINAL_PATH.replace('{session}', '([^/]+)')}$`);

function upgrade(ports: ServerPorts, request: IncomingMessage, socket: Duplex, head: Buffer, isTcp: boolean): void {
  socket.on('error', () => socket.destroy()); // a client may disconnect at any time, especially a refused one
  const { log, token } = ports;
  try {
    const caller = identify(request, isTcp, token, ports.registry);
    const url = urlOf(request.url ?? '/');
    const terminal = TERMINAL.exec(url.pathname)?.[1];
    if (terminal !== undefined) {
      const entry = ports.registry.session(decode(terminal));
      const wanted = terminalRequest(url.searchParams);
      permit(caller, wanted.isReadOnly ? 'own' : 'started', entry, ports.registry);
      accept(
        request,
        socket,
        head,
        (ws) => {
          ws.once('close', ports.watchers.add('terminal'));
          return ports.terminals.serve(ws, entry, wanted);
        },
        log,
      );
    } else if (url.pathname === EVENT_PATH || url.pathname === EVENT_ALIAS) {
      const input = readInput('event.list', {}, url.searchParams, undefined);
      const filter = eventFilter(ports, input, caller);
      accept(
        request,
        socket,
        head,
        (ws) => {
          ws.once('close', ports.watchers.add('events'));
          return sendEvents(ws, filter, ports.hub, closed(ws));
        },
        log,
      );
    } else {
      throw new OrchdError('ORCHD_NOT_FOUND', `no WebSocket at ${url.pathname}`);
    }
  } catch (error) {
    const known = toOrchdError(error);
    const body = JSON.stringify(known.toProblem());
    const { status } = ERRORS[known.code];
    socket.end(
      `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  }
}

/** @throws {OrchdError} ORCHD_INVALID for a target such as `//x:99999`. */
function urlOf(target: string): URL {
  try {
    return new URL(target, 'http://localhost');
  } catch {
    throw new OrchdError('ORCHD_INVALID', `'${target.slice(0, MAX_KEY_CHARS)}' is no path of a URL`);
  }
}

/** @throws {OrchdError} ORCHD_INVALID */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new OrchdError(
      'ORCHD_INVALID',
      `'${part}' is no part of a URL: a % must be followed by two hexadecimal digits`,
    );
  }
}

function accept(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  run: (ws: WebSocket) => Promise<void>,
  log: Log,
): void {
  sockets.handleUpgrade(request, socket, head, (ws) => {
    run(ws).catch((error: unknown) => {
      log.error('a WebSocket failed', error);
      ws.close(1011, toOrchdError(error).message.slice(0, 120));
    });
  });
}

function closed(ws: WebSocket): AbortSignal {
  const gone = new AbortController();
  ws.on('close', () => gone.abort());
  ws.on('error', () => gone.abort());
  return gone.signal;
}

function terminalRequest(query: URLSearchParams) {
  const mode = query.get('mode') ?? 'attach';
  if (mode !== 'attach' && mode !== 'stream' && mode !== 'view') {
    throw new OrchdError('ORCHD_INVALID', `mode '${mode}' is none of attach, stream, view`);
  }
  const [cols, rows] = [Number(query.get('cols')), Number(query.get('rows'))];
  const hasSize = [cols, rows].every((value) => Number.isInteger(value) && value >= 1 && value <= 1000);
  const isReadOnly = query.get('read_only') === 'true';
  const isPainted = query.get('painted') === 'true';
  const position = query.get('from');
  if (position !== null && !/^\d{1,15}$/.test(position)) {
    throw new OrchdError('ORCHD_INVALID', `from '${position}' is no position in a journal`);
  }
  const from = position === null ? null : Number(position);
  const tellsPositions = query.get('positions') === 'true';
  return { mode, size: hasSize ? { cols, rows } : null, isReadOnly, isPainted, from, tellsPositions } as const;
}

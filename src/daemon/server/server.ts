/**
 * The HTTP and WebSocket server, on a Unix socket on loopback TCP, and for browsers on other devices, with the same
 * routes on each.
 *
 * Routes are derived from the operation table; in addition there are the event stream and the terminal stream.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { TlsOptions } from 'node:tls';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isThere } from '../../host/index.js';
import {
  ERRORS,
  type InputOf,
  MAX_BODY_BYTES,
  METRICS_PATH,
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  OrchdError,
  WEB_PATH,
} from '../../protocol/index.js';
import {
  checkAddress,
  eventFilter,
  type Identity,
  identify,
  type ListenerAddress,
  permit,
  type ReadAccessPorts,
  readablePart,
  requireReadAccess,
} from '../access/index.js';
import type { Handlers } from '../handlers/index.js';
import { collectMetrics, type MetricsPorts, PROMETHEUS_TYPE, prometheusText } from '../metrics/index.js';
import type { SessionEntry } from '../registry/index.js';
import {
  clientOf,
  findPages,
  permitDevice,
  readableTarget,
  servePages,
  type WantedWeb,
  WebListener,
} from '../web/index.js';
import { createBodyReader } from './body.js';
import { streamEvents } from './events.js';
import { FairQueue } from './fair-queue.js';
import { serializePipelined } from './http-pipeline.js';
import { readInput } from './input.js';
import { listen, listenOnTcp, type TcpListener, type WantedTcp } from './listening.js';
import { type McpPorts, serveMcp } from './mcp.js';
import { toOrchdError, urlOf } from './problem.js';
import { type SocketPorts, sayFarewell, upgrade } from './sockets.js';
import { SpreadCloses } from './spread-closes.js';
import { DISCONNECTED, whenDisconnected } from './when-disconnected.js';

interface ServerPorts extends ReadAccessPorts, MetricsPorts, McpPorts, SocketPorts {
  readonly handlers: Handlers;
  readonly socketPath: string;
  readonly tcp: WantedTcp;
  readonly web: WantedWeb;
  /** Called for each call of the CLI. */
  readonly personWaits: () => void;
}

export interface DaemonServer {
  readonly tcp: TcpListener;
  /** Listens for browsers on other devices. */
  readonly web: WebListener;
  /** Makes the socket again if it was removed. Returns false if it is there. */
  reopen(): Promise<boolean>;
  close(): Promise<void>;
}

const MAX_KEY_CHARS = 200;
/** The largest body of a request that needs no token. */
const MAX_OPEN_BODY_BYTES = 4096;
/** The names under which the TCP listener of a request serves; absent for the Unix socket. */
const placeOf = new WeakMap<IncomingMessage, ListenerAddress>();
/** The caller of each request in progress. Set before the body is parsed. */
const callers = new WeakMap<IncomingMessage, Identity>();
/** Routes that need no token: the files of the dashboard, and the exchange of a link's code. */
const OPEN: ReadonlySet<string> = new Set([
  WEB_PATH.slice(0, -1),
  `${WEB_PATH}*`,
  ...Object.values(OPERATIONS).flatMap(({ isOpen, path }: OperationEntry) => (isOpen ? [path] : [])),
]);
const STRANGER: Identity = { session: null, device: null };
/**
 * Routes have no Fastify schemas: operations are checked by generated validators. Fastify's compilers cost time to load.
 */
const compileNothing = (): never => {
  throw new Error('routes have no Fastify schemas: orchd checks operations with its generated validators');
};
const NO_COMPILERS = { compilersFactory: { buildValidator: compileNothing, buildSerializer: compileNothing } };

/** @throws {OrchdError} ORCHD_STORE_LOCKED if another daemon answers on the socket; ORCHD_PORT as `listenOnTcp`. */
export async function serve(ports: ServerPorts): Promise<DaemonServer> {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    schemaController: NO_COMPILERS,
    rewriteUrl: ({ url = '' }) => readableTarget(url),
    frameworkErrors: (error, request, reply) => void fail(ports, error, request, reply),
  });
  const queue = new FairQueue();
  const ends = new SpreadCloses();
  setUp(app, ports, queue, new FairQueue());
  await app.ready();
  const servers: Server[] = [];
  const create = (place: ListenerAddress | null, tls: TlsOptions | null = null): Server => {
    const take = serializePipelined((request, response) => {
      if (place) placeOf.set(request, place);
      app.routing(request, response);
    });
    const server = tls ? createTlsServer(tls, take) : createServer(take);
    server.on('connection', () => queue.connected());
    server.prependListener(tls ? 'secureConnection' : 'connection', (socket) => ends.watch(socket));
    server.on('upgrade', (request, socket, head) => upgrade(ports, request, socket, head, place));
    return server;
  };
  const open = (place: ListenerAddress | null): Server => {
    const server = create(place);
    server.requestTimeout = 0; // programs may send a request slowly
    servers.push(server);
    return server;
  };
  const web = new WebListener({
    open: async (address, place, tls) => {
      const server = create(place, tls);
      await listen(server, address);
      return server;
    },
    hasTcp: () => tcp.url !== null,
    log: ports.log,
  });
  let tcp: TcpListener = { url: null, problem: null };
  const openSocket = async (): Promise<void> => {
    const before = process.umask(0o177);
    const listening = listen(open(null), { path: ports.socketPath }); // binds before it returns
    process.umask(before);
    await listening;
    chmodSync(ports.socketPath, 0o600);
  };
  await removeStale(ports.socketPath);
  await openSocket();
  tcp = await listenOnTcp(ports.tcp, () => open(web.loopback), ports.log);
  await web.begin(ports.web);
  return {
    tcp,
    web,
    async reopen() {
      if (isThere(ports.socketPath)) return false;
      await openSocket();
      return true;
    },
    async close() {
      for (const server of servers) server.close();
      await sayFarewell();
      web.close();
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
        reject(new OrchdError('ORCHD_SOCKET_PATH', `${path} is there and is not a socket; it is left as it is`));
        return;
      }
      if (error.code === 'ECONNREFUSED') unlinkSync(path);
      resolve();
    });
  });
}

// ── requests ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Adds the hooks that check and queue each request before its body is parsed.
 *
 * @param queue  Limits the concurrent requests of sessions.
 * @param personQueue  Limits the concurrent requests of the person's programs.
 */
function setUp(app: FastifyInstance, ports: ServerPorts, queue: FairQueue, personQueue: FairQueue): void {
  // This hook runs before the body is parsed, so a caller without a valid token costs no more than its headers.
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    const place = placeOf.get(raw) ?? null;
    if (OPEN.has(routeOptions.url ?? '')) {
      if (place) checkAddress(raw, place);
      return;
    }
    const caller = identify(raw, place, ports.secrets);
    callers.set(raw, caller);
    if (caller.session) whenDisconnected(reply.raw, await queue.enter(caller.session.id));
    else await personQueue.turn(routeOptions.url ?? '');
    if (raw.socket.destroyed) reply.hijack(); // The caller has disconnected, so the operation does not start.
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
  serveMcp(app, ports, queue, (request) => callerOf(request).session);
  servePages(app, findPages(import.meta.dirname));
  for (const [name, entry] of Object.entries(OPERATIONS) as [OperationName, OperationEntry][]) {
    for (const path of entry.alias ? [entry.path, entry.alias] : [entry.path]) {
      app.route({
        method: entry.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        ...(entry.isOpen && { bodyLimit: MAX_OPEN_BODY_BYTES }),
        handler: (request, reply) => handle(ports, name, entry, request, reply),
      });
    }
  }
}

/**
 * Returns the caller.
 * @throws {OrchdError} ORCHD_INTERNAL if the request was never identified: it must not count as a person's.
 */
function callerOf({ raw }: FastifyRequest): Identity {
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
  const { session, device } = entry.isOpen ? STRANGER : callerOf(request);
  const client = device ? clientOf(device) : String(request.headers['x-orchd-client'] ?? 'api').slice(0, 32);
  if (client === 'cli') ports.personWaits();
  const url = urlOf(request.url);
  const input = readInput(name, request.params as Record<string, unknown>, url.searchParams, request.body);
  await ports.catchingUp.need(name, input);
  if (device) permitDevice(device, entry, input);
  permit(session, entry.scope, targetOf(ports, input), ports.registry);
  requireReadAccess(ports, session, name, input);
  const gone = new AbortController();
  whenDisconnected(reply.raw, () => gone.abort(DISCONNECTED));
  // an operation that streams selects events with its input
  const wanted = entry.streams ? (input as InputOf<'event.list'>) : null;
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
      ports.bus,
      gone.signal,
      () => reply.hijack(), // Not earlier, because an error is sent as an ordinary reply.
    ).finally(done);
  }
  // the name determines the input's type
  const run = ports.handlers[name] as (input: unknown, caller: object) => Promise<unknown>;
  const requestKey = String(request.headers['idempotency-key'] ?? '').slice(0, MAX_KEY_CHARS) || null;
  const afterReply = (then: () => void): void => void reply.raw.once('finish', then);
  const output = await run(input, { session, device, client, signal: gone.signal, requestKey, afterReply });
  return reply.code(entry.status ?? 200).send(readablePart(ports, session, name, output));
}

/** Returns the session that an operation concerns: for a run, a task or a workflow run, the session that started it. */
function targetOf({ registry, runs, tasks, workflows }: ReadAccessPorts, input: object): SessionEntry | null {
  const { session, run, task, workflow } = input as Readonly<Record<string, unknown>>; // each field is checked below
  if (typeof session === 'string') return registry.session(session);
  const about =
    typeof run === 'string'
      ? runs.collection.show(run)
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

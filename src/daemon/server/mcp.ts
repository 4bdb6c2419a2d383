/**
 * MCP over streamable HTTP, at /mcp: the tools of the session whose token is sent as the Bearer token.
 *
 *     POST  a message → JSON; a tool call → an SSE stream with its progress and its result, if the client accepts one
 *           a notification → 202
 *           a batch of messages → their replies, as an array or on an SSE stream
 *     GET, DELETE → 405: the server sends nothing without a request, and a client's session has no state
 *
 * Each request has a server of its own, so a client continues after a restart of the daemon. `Mcp-Session-Id`
 * distinguishes the request ids of different clients; it has no other meaning.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpCall } from '../../mcp/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { CatchingUp } from '../sessions/index.js';
import type { Tools } from '../tools/index.js';
import type { FairQueue } from './fair-queue.js';
import { BatchReply } from './mcp-batch.js';
import { whenDisconnected } from './when-disconnected.js';

export interface McpPorts {
  readonly tools: Tools;
  readonly catchingUp: CatchingUp;
}

const MCP_PATH = '/mcp';

/** A client's message before the SDK has validated it. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

/** Functions that cancel the running requests, by client and request id. */
type Running = Map<string, () => void>;

/** @param identify  Returns the session that the token in the request belongs to; null for a person. */
export function serveMcp(
  app: FastifyInstance,
  ports: McpPorts,
  queue: FairQueue,
  identify: (request: FastifyRequest) => SessionEntry | null,
) {
  const running: Running = new Map();
  app.route({
    method: ['GET', 'HEAD', 'DELETE'],
    url: MCP_PATH,
    exposeHeadRoute: false,
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  });
  app.post(MCP_PATH, async (request, reply) => {
    const entry = identify(request);
    if (!entry) {
      throw new OrchdError(
        'ORCHD_UNAUTHORIZED',
        'MCP wants the token of a session (ORCHD_SESSION_TOKEN): it speaks for it',
      );
    }
    if (messagesOf(request.body).some(isCall)) await ports.catchingUp.needTools(entry);
    return answer(running, ports, queue, entry, request, reply);
  });
}

async function answer(
  running: Running,
  ports: McpPorts,
  queue: FairQueue,
  entry: SessionEntry,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { createMcpServer, HttpTransport, withDefaults } = await import('../../mcp/index.js');
  const { body, headers } = request;
  const isBatch = Array.isArray(body);
  const messages = messagesOf(body);
  const client = String(headers['mcp-session-id'] ?? randomUUID()).slice(0, 64);
  const keyOf = (id: unknown): string => `${entry.id} ${client} ${typeof id} ${id}`;
  for (const { method, params } of messages)
    if (method === 'notifications/cancelled') running.get(keyOf(params?.requestId))?.();

  const afterReply = (then: () => void): void => void reply.raw.once('finish', then);
  const call = async ({ tool, input, wait, callId, signal }: McpCall) => {
    const leave = isBatch ? queue.count(entry.id) : () => {}; // Each call of a batch counts as a request of its own.
    try {
      const request = { tool: tool.name, input, wait, callId, timeoutMs: undefined };
      return await ports.tools.call(entry, request, { signal, afterReply });
    } finally {
      leave();
    }
  };
  const server = createMcpServer({ instance: `${entry.id}-${client}`, tools: ports.tools.offered(entry), call });
  const calls = messages.filter(isCall);
  const keys = calls.map(({ id }) => keyOf(id));
  whenDisconnected(reply.raw, () => {
    void server.close(); // aborts the calls
    for (const key of keys) running.delete(key);
  });
  const isStream = calls.length > 0 && (headers.accept ?? '').includes('text/event-stream');
  reply.header('mcp-session-id', client);
  if (isBatch) {
    const batch = await BatchReply.open(server, reply, isStream);
    for (const { id } of calls) running.set(keyOf(id), () => batch.cancel(id));
    return batch.answer(body, () => queue.turn(entry.id));
  }
  const transport = new HttpTransport({ enableJsonResponse: !isStream });
  await server.connect(transport);
  // A request that is cancelled gets no reply.
  const cancelled = new Promise<Response>((resolve) => {
    const cancel = (): void => void server.close().then(() => resolve(new Response(null, { status: 202 })));
    for (const key of keys) running.set(key, cancel);
  });
  const replied = transport.handleRequest(toWebRequest(request), { parsedBody: withDefaults(body) });
  return reply.send(await Promise.race([replied, cancelled]));
}

/**
 * The SDK requires that a client accepts JSON and event streams. This also admits clients that accept only one of them.
 */
function toWebRequest({ headers }: FastifyRequest): Request {
  const version = headers['mcp-protocol-version'];
  return new Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version !== undefined && { 'mcp-protocol-version': String(version) }),
    },
  });
}

const messagesOf = (body: unknown): readonly Message[] =>
  [body].flat().filter((message): message is Message => typeof message === 'object' && message !== null);

const isCall = ({ method }: Message): boolean => method === 'tools/call';

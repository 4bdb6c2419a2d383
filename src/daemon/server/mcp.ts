/**
 * MCP over streamable HTTP, at /mcp: the tools of the session whose token is sent as the Bearer token.
 *
 *     POST  a message → JSON; a tool call → an SSE stream with its progress and its result, if the client accepts one
 *           a notification → 202
 *     GET, DELETE → 405: the server sends nothing without a request, and a client's session has no state
 *
 * `Mcp-Session-Id` distinguishes the request ids of different clients; it has no other meaning.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OrchdError } from '../../protocol/index.js';
import { MCP_VERSIONS, Mcp, type McpCaller, rpcError } from '../../tools/index.js';
import type { House } from '../handlers/index.js';
import type { SessionEntry } from '../session-entry.js';

export const MCP_PATH = '/mcp';

/** @param identify  Returns the session whose token was sent; null for a person. */
export function serveMcp(
  app: FastifyInstance,
  house: House,
  identify: (request: FastifyRequest) => SessionEntry | null,
) {
  const server = new Mcp({
    every(ms, then) {
      const timer = setInterval(then, ms);
      return () => clearInterval(timer);
    },
  });
  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
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
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !MCP_VERSIONS.includes(String(version))) {
      return reply.code(400).send(rpcError(null, 'invalid', `there is no protocol version ${version}`));
    }
    if (isCall(request.body)) await house.catchingUp.needTools(entry);
    return answer(server, house, entry, request, reply);
  });
}

async function answer(server: Mcp, house: House, entry: SessionEntry, request: FastifyRequest, reply: FastifyReply) {
  const { body } = request;
  const client = String(request.headers['mcp-session-id'] ?? randomUUID()).slice(0, 64);
  const gone = new AbortController();
  reply.raw.on('close', () => gone.abort());
  const isStream = isCall(body) && (request.headers.accept ?? '').includes('text/event-stream');
  const send = (message: object): void => {
    if (isStream) reply.raw.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const caller: McpCaller = {
    instance: `${entry.id}-${client}`,
    tools: house.tools.offered(entry),
    call: ({ tool, input: whole, callId }) => {
      const { wait, ...input } = whole;
      const request = { tool: tool.name, input, wait: wait === true || wait === false ? wait : undefined, callId };
      const afterReply = (then: () => void): void => void reply.raw.once('finish', then);
      const about = { signal: gone.signal, afterReply };
      return {
        result: house.tools.call(entry, { ...request, timeoutMs: undefined }, about),
        cancel: () => gone.abort(),
      };
    },
    send,
  };
  if (isStream) {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const told = await server.take(body, caller);
    if (told) send(told);
    reply.raw.end();
    return reply;
  }
  const told = await server.take(body, caller);
  if (!told) return reply.code(202).send();
  return reply.header('mcp-session-id', client).send(told);
}

const isCall = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';

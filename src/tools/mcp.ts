/**
 * The tools as an MCP server: the replies of `orchd mcp` and of the daemon's /mcp to a client's messages.
 *
 * In:   a message or a batch of messages, and the client that sent it.
 * Out:  the reply; null if there is none.
 *
 *     initialize, ping, tools/list, tools/call      requests; any other is -32601
 *     notifications/cancelled                       cancels a waiting call, which then gets no reply
 *     notifications/progress                        sent while a call waits, if the client asked for it, so that the
 *                                                   client's own timeout is extended
 *
 * Not built on the official SDK, which takes longer to load than this whole module. Pure: calls and time are ports.
 */
import { OrchdError, type OutputOf, VERSION } from '../protocol/index.js';
import {
  isObject,
  type RpcId,
  type RpcMessage,
  type RpcParams,
  readRpc,
  rpcError,
  rpcNotification,
  rpcResult,
} from './json-rpc.js';
import { taskComplete } from './messages.js';
import type { Tool } from './tool.js';

/** Supported versions, the newest first. */
export const MCP_VERSIONS: readonly string[] = ['2025-06-18', '2025-03-26', '2024-11-05'];

export interface McpCall {
  readonly tool: Tool;
  readonly input: RpcParams;
  /** Equal for the same request of the same client. */
  readonly callId: string;
}

export interface McpCaller {
  /** Identifies the client: request ids are unique only within one client. */
  readonly instance: string;
  /** The tools that it may call. */
  readonly tools: readonly Tool[];
  readonly call: (call: McpCall) => { readonly result: Promise<OutputOf<'session.tool'>>; cancel(): void };
  /** Sends a notification. */
  readonly send: (message: object) => void;
}

export interface McpPorts {
  /**
   * Calls a function periodically.
   * @returns A function that stops it.
   */
  readonly every: (ms: number, then: () => void) => () => void;
}

const PROGRESS_MS = 10_000;
const ADVICE: readonly (readonly [string, string])[] = [
  ['ask', 'Ask them with `ask` when a decision is not yours.'],
  ['report_status', 'Say where you stand with `report_status`.'],
  ['task_complete', 'Say with `task_complete` that you are done.'],
];

export class Mcp {
  readonly #ports: McpPorts;
  /** Functions that cancel the running calls, by client and request. */
  readonly #running = new Map<string, () => void>();

  constructor(ports: McpPorts) {
    this.#ports = ports;
  }

  async take(value: unknown, caller: McpCaller): Promise<object | null> {
    if (!Array.isArray(value)) return this.#one(readRpc(value), caller);
    if (value.length === 0) return rpcError(null, 'invalid', 'an empty batch');
    const replies = await Promise.all(value.map((one) => this.#one(readRpc(one), caller)));
    const all = replies.filter((reply) => reply !== null);
    return all.length > 0 ? all : null;
  }

  async #one(message: RpcMessage, caller: McpCaller): Promise<object | null> {
    switch (message.kind) {
      case 'invalid':
        return rpcError(null, 'invalid', 'no JSON-RPC 2.0 message');
      case 'reply':
        return null;
      case 'notification':
        if (message.method === 'notifications/cancelled')
          this.#running.get(keyOf(caller, message.params['requestId']))?.();
        return null;
      case 'request':
        return this.#request(message.id, message.method, message.params, caller);
    }
  }

  async #request(id: RpcId, method: string, params: RpcParams, caller: McpCaller): Promise<object | null> {
    switch (method) {
      case 'initialize':
        return rpcResult(id, greeting(params['protocolVersion'], caller.tools));
      case 'ping':
        return rpcResult(id, {});
      case 'tools/list':
        return rpcResult(id, { tools: caller.tools.map(describeTool) });
      case 'tools/call':
        return this.#call(id, params, caller);
      default:
        return rpcError(id, 'method', `there is no method ${method}`);
    }
  }

  async #call(id: RpcId, params: RpcParams, caller: McpCaller): Promise<object | null> {
    const { name, arguments: input = {}, _meta: meta } = params;
    const tool = calledTool(caller, name);
    if (!tool) return rpcError(id, 'params', `Unknown tool: ${name}`);
    if (!isObject(input)) return rpcError(id, 'params', 'the arguments are no object');
    const key = keyOf(caller, id);
    if (this.#running.has(key)) return rpcError(id, 'invalid', `a request with the id ${id} is under way`);
    const { result, cancel } = caller.call({ tool, input, callId: callIdOf(caller, id) });
    let isCancelled = false;
    this.#running.set(key, () => {
      isCancelled = true;
      cancel();
    });
    const stop = this.#tellProgress(isObject(meta) ? meta['progressToken'] : undefined, caller);
    try {
      const told = textResult(await result);
      return isCancelled ? null : rpcResult(id, told);
    } catch (error) {
      return isCancelled ? null : rpcResult(id, errorResult(error));
    } finally {
      stop();
      this.#running.delete(key);
    }
  }

  #tellProgress(progressToken: unknown, { send }: McpCaller): () => void {
    if (progressToken === undefined) return () => {};
    let progress = 0;
    return this.#ports.every(PROGRESS_MS, () => {
      const message = 'The person has not answered yet';
      send(rpcNotification('notifications/progress', { progressToken, progress: ++progress, message }));
    });
  }
}

/** Finds the called tool. If the agent of a task calls `task_complete`, the daemon reminds it of the required tool. */
const calledTool = ({ tools }: McpCaller, name: unknown): Tool | undefined =>
  tools.find((one) => one.name === name) ?? (tools.length > 0 && name === taskComplete.name ? taskComplete : undefined);

const keyOf = ({ instance }: McpCaller, id: unknown): string => `${instance} ${typeof id} ${id}`;

/** Builds a call id from the request's id, which may be any text or number. Call ids are short and plain. */
const callIdOf = ({ instance }: McpCaller, id: RpcId): string =>
  `mcp-${instance}-${typeof id === 'number' ? id : encodeURIComponent(id)}`.slice(0, MAX_CALL_ID_CHARS);
const MAX_CALL_ID_CHARS = 200;

function greeting(wanted: unknown, tools: readonly Tool[]): object {
  const advice = ADVICE.flatMap(([name, words]) => (tools.some((tool) => tool.name === name) ? [words] : []));
  const isKnown = typeof wanted === 'string' && MCP_VERSIONS.includes(wanted);
  return {
    protocolVersion: isKnown ? wanted : MCP_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'orchd', version: VERSION },
    instructions: [
      'A person supervises you through orchd.',
      ...advice,
      'What you say by a tool, do not print as well.',
    ].join(' '),
  };
}

/** APIs of models reject alternatives at the top of a schema, so the summary says which fields are required. */
function describeTool({ name, summary, input, waits }: Tool): object {
  const wait = { type: 'boolean', description: 'Wait for the answer and return it.' };
  return {
    name,
    description: summary,
    inputSchema: {
      type: 'object',
      properties: { ...input.properties, ...(waits === false && { wait }) },
      ...(input.required && { required: input.required }),
    },
    // The tools change only what the person is shown.
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  };
}

const text = (words: string) => [{ type: 'text', text: words }];

/** Returns only the answer if there is one. */
function textResult(result: OutputOf<'session.tool'>): object {
  const { answer, result: returned } = result;
  if (returned === undefined) return { content: text(answer ?? JSON.stringify(result)) };
  return { content: text(typeof returned === 'string' ? returned : JSON.stringify(returned, null, 2)) };
}

function errorResult(error: unknown): object {
  const known = error instanceof OrchdError ? error : new OrchdError('ORCHD_INTERNAL', String(error));
  const { details: _details, ...problem } = known.toProblem();
  return { content: text(JSON.stringify(problem)), isError: true };
}

/**
 * The MCP server of one client of one session. `orchd mcp` connects it to standard input and output, the daemon to a
 * request to /mcp.
 *
 *     tools/list                  the tools that the session is offered
 *     tools/call                  a call. Cancelling the request, or closing the server, aborts its signal
 *     notifications/progress      sent while a call waits for a person, if the client asked for progress, so that the
 *                                 client's own timeout is extended
 *
 * The SDK does the rest: versions, ping, errors of the protocol. Questions are not sent as elicitations: an agent's
 * program would show a form for what the inbox shows already.
 */
import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as McpTool,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { errorMessage, OrchdError, type OutputOf, VERSION } from '../protocol/index.js';
import { callableTool, type Tool, toolNamed } from '../tools/index.js';

export interface McpCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  /** The client's choice; undefined if the client did not choose. */
  readonly wait: boolean | undefined;
  /** Identifies the call: a repetition of the same request by the same client has the same id. */
  readonly callId: string;
  /** Aborts when the client cancels the request or leaves. */
  readonly signal: AbortSignal;
}

interface McpCaller {
  /** Identifies the client: request ids are unique only within one client. */
  readonly instance: string;
  /** The tools that the agent is offered. */
  readonly tools: readonly Tool[];
  /** Returns the reason why another tool may not be called. Without it, the daemon decides. */
  readonly refusal?: ((tool: Tool) => OrchdError) | undefined;
  readonly call: (call: McpCall) => Promise<OutputOf<'session.tool'>>;
}

const PROGRESS_MS = 10_000;
const MAX_CALL_ID_CHARS = 200;
const ADVICE: readonly (readonly [string, string])[] = [
  ['ask', 'Ask them with `ask` when a decision is not yours.'],
  ['report_status', 'Say where you stand with `report_status`.'],
  ['task_complete', 'Say with `task_complete` that you are done.'],
];
/** Shared, because each server would otherwise create a validator that it does not use. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** Creates the MCP server of one client. The caller connects it to a transport and closes it. */
export function createMcpServer(caller: McpCaller): Server {
  const server = new Server(
    { name: 'orchd', version: VERSION },
    { capabilities: { tools: {} }, instructions: instructions(caller.tools), jsonSchemaValidator: VALIDATOR },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: caller.tools.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId, sendNotification }) => {
    const tool = knownTool(params.name);
    if (caller.refusal && !callableTool(caller.tools, tool.name)) return errorResult(caller.refusal(tool));
    const { wait, ...input } = params.arguments ?? {};
    const progressToken = params._meta?.progressToken;
    let progress = 0;
    const tellProgress = (): void => {
      const message = 'The person has not answered yet';
      const notification = { progressToken: progressToken ?? '', progress: ++progress, message };
      // A client that has left gets no progress. The end of its connection aborts the signal.
      sendNotification({ method: 'notifications/progress', params: notification }).catch(() => {});
    };
    const timer = progressToken === undefined ? undefined : setInterval(tellProgress, PROGRESS_MS);
    try {
      const callId = callIdOf(caller, requestId);
      const chosen = typeof wait === 'boolean' ? wait : undefined;
      return textResult(await caller.call({ tool, input, wait: chosen, callId, signal }));
    } catch (error) {
      return errorResult(error);
    } finally {
      clearInterval(timer);
    }
  });
  return server;
}

/** @throws {McpError} with the daemon's words if orchd has no tool of this name. */
function knownTool(name: string): Tool {
  try {
    return toolNamed(name);
  } catch (error) {
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${errorMessage(error)}`);
  }
}

/**
 * Builds a call id from the request's id, which may be any text or number. Call ids are short and plain. A long text,
 * or one that is no Unicode, is replaced by its hash: equal ids of two requests would make them the same call.
 */
function callIdOf({ instance }: McpCaller, id: RequestId): string {
  const isUnicode = typeof id === 'number' || Buffer.from(id).toString() === id;
  const plain = isUnicode ? encodeURIComponent(id) : null;
  const prefix = `mcp-${instance}-`;
  if (plain !== null && prefix.length + plain.length <= MAX_CALL_ID_CHARS) return prefix + plain;
  return prefix + createHash('sha256').update(JSON.stringify(id)).digest('hex');
}

const instructions = (tools: readonly Tool[]): string =>
  [
    'A person supervises you through orchd.',
    ...ADVICE.flatMap(([name, words]) => (tools.some((tool) => tool.name === name) ? [words] : [])),
    'What you say by a tool, do not print as well.',
  ].join(' ');

/** APIs of models reject alternatives at the top of a schema, so the summary says which fields are required. */
function describeTool({ name, summary, input, waits }: Tool): McpTool {
  const wait = { type: 'boolean', description: 'Wait for the answer and return it.' };
  return {
    name,
    description: summary,
    inputSchema: {
      type: 'object',
      properties: { ...input.properties, ...(waits === false && { wait }) },
      ...(input.required && { required: [...input.required] }),
    },
    // The tools change nothing except what the person sees.
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  };
}

const text = (words: string): CallToolResult['content'] => [{ type: 'text', text: words }];

/** Returns only the answer if there is one, otherwise the whole result. */
function textResult(result: OutputOf<'session.tool'>): CallToolResult {
  const { answer, result: returned } = result;
  if (returned === undefined) return { content: text(answer ?? JSON.stringify(result)) };
  return { content: text(typeof returned === 'string' ? returned : JSON.stringify(returned, null, 2)) };
}

function errorResult(error: unknown): CallToolResult {
  const known = error instanceof OrchdError ? error : new OrchdError('ORCHD_INTERNAL', String(error));
  const { details: _details, ...problem } = known.toProblem();
  return { content: text(JSON.stringify(problem)), isError: true };
}

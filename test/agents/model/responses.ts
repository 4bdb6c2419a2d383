/** OpenAI Responses: `POST /v1/responses`. */
import {
  CACHED_TOKENS,
  type Content,
  type Parameter,
  PROMPT_TOKENS,
  partsOf,
  type Stream,
  type Tool,
  type Turn,
  tokens,
  userTurns,
  type Wire,
} from './conversation.js';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly input?: string | readonly InputItem[];
  readonly tools?: readonly OfferedTool[];
  readonly text?: { readonly format?: { readonly type?: string } };
}

/** A namespace contains the tools of one MCP server. */
interface OfferedTool {
  readonly type?: string;
  readonly name?: string;
  readonly parameters?: { readonly properties?: Record<string, Parameter>; readonly required?: string[] };
  readonly tools?: readonly OfferedTool[];
}

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: Content;
  readonly output?: unknown;
}

function turnsOf({ input = [] }: Request): Turn[] {
  if (typeof input === 'string') return userTurns(input);
  return input.flatMap(({ type, role, content, output }): Turn[] => {
    if (type === 'function_call_output') return [{ role: 'tool', text: JSON.stringify(output) }];
    if (role === 'user') return userTurns(content);
    if (role === 'assistant') return [{ role, text: partsOf(content).join('') }];
    return [];
  });
}

/** Separates a namespace and the name of a tool in it. */
const WITHIN = '/';

function toolsOf(offered: readonly OfferedTool[], within = ''): Tool[] {
  return offered.flatMap(({ type, name, parameters: schema, tools }): Tool[] => {
    if (name === undefined) return [];
    if (type === 'namespace') return toolsOf(tools ?? [], `${name}${WITHIN}`);
    return [{ name: within + name, parameters: schema?.properties ?? {}, required: schema?.required ?? [] }];
  });
}

/** Returns the finished items of a reply: its text, and a tool call. */
function itemsOf({ id, text, call }: Stream): Record<string, unknown>[] {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content };
  if (!call) return [message];
  const input = JSON.stringify(call.input);
  const at = call.name.indexOf(WITHIN);
  const name = at < 0 ? { name: call.name } : { namespace: call.name.slice(0, at), name: call.name.slice(at + 1) };
  const asked = { id: `fc_${id}`, type: 'function_call', status: 'completed', call_id: `call_${id}`, ...name };
  return [message, { ...asked, arguments: input }];
}

function response(reply: Stream, status: 'in_progress' | 'completed'): Record<string, unknown> {
  const isDone = status === 'completed';
  const used = {
    input_tokens: PROMPT_TOKENS,
    output_tokens: tokens(reply.text),
    total_tokens: PROMPT_TOKENS + tokens(reply.text),
  };
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: reply.model,
    status,
    output: isDone ? itemsOf(reply) : [],
    parallel_tool_calls: false,
    tools: [],
    ...(isDone && {
      usage: {
        ...used,
        input_tokens_details: { cached_tokens: CACHED_TOKENS },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    }),
  };
}

export const responses: Wire = {
  read(body) {
    const request = body as Request; // the shape that programs of this protocol send
    return {
      model: request.model ?? '',
      isStreamed: request.stream === true,
      turns: turnsOf(request),
      tools: toolsOf(request.tools ?? []),
      wantsJson: request.text?.format?.type?.startsWith('json') ?? false,
    };
  },

  async stream(reply, send) {
    let number = 0;
    const give = (type: string, more: object) => send(type, { type, sequence_number: number++, ...more });
    const [message = {}, asked] = itemsOf(reply);
    const at = { item_id: message['id'], output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: reply.text, annotations: [] };
    give('response.created', { response: response(reply, 'in_progress') });
    give('response.output_item.added', { output_index: 0, item: { ...message, status: 'in_progress', content: [] } });
    give('response.content_part.added', { ...at, part: { ...part, text: '' } });
    for await (const delta of reply.pieces) give('response.output_text.delta', { ...at, delta });
    give('response.output_text.done', { ...at, text: reply.text });
    give('response.content_part.done', { ...at, part });
    give('response.output_item.done', { output_index: 0, item: message });
    if (asked) {
      give('response.output_item.added', { output_index: 1, item: { ...asked, status: 'in_progress', arguments: '' } });
      const call = { item_id: asked['id'], output_index: 1 };
      give('response.function_call_arguments.delta', { ...call, delta: asked['arguments'] });
      give('response.function_call_arguments.done', { ...call, arguments: asked['arguments'] });
      give('response.output_item.done', { output_index: 1, item: asked });
    }
    give('response.completed', { response: response(reply, 'completed') });
  },

  whole: (reply) => response(reply, 'completed'),
};

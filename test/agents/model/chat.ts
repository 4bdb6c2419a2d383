/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
import {
  CACHED_TOKENS,
  type Content,
  type Parameter,
  PROMPT_TOKENS,
  partsOf,
  type Stream,
  type Turn,
  tokens,
  userTurns,
  type Wire,
} from './conversation.js';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string; readonly content?: Content }[];
  readonly tools?: readonly {
    readonly function?: {
      readonly name: string;
      readonly parameters?: { readonly properties?: Record<string, Parameter>; readonly required?: string[] };
    };
  }[];
  readonly response_format?: unknown;
}

function turnsOf({ messages = [] }: Request): Turn[] {
  return messages.flatMap(({ role, content }): Turn[] => {
    if (role === 'user') return userTurns(content);
    if (role === 'assistant' || role === 'tool') return [{ role, text: partsOf(content).join('') }];
    return [];
  });
}

const toolCalls = ({ call, id }: Stream) =>
  call && [
    {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    },
  ];

const usage = (text: string) => ({
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: tokens(text),
  total_tokens: PROMPT_TOKENS + tokens(text),
  prompt_tokens_details: { cached_tokens: CACHED_TOKENS },
});

export const chat: Wire = {
  read(body) {
    const request = body as Request; // the shape that programs of this protocol send
    return {
      model: request.model ?? '',
      isStreamed: request.stream === true,
      turns: turnsOf(request),
      tools: (request.tools ?? []).flatMap(({ function: tool }) =>
        tool
          ? [
              {
                name: tool.name,
                parameters: tool.parameters?.properties ?? {},
                required: tool.parameters?.required ?? [],
              },
            ]
          : [],
      ),
      wantsJson: request.response_format !== undefined,
    };
  },

  async stream(reply, send) {
    const { id, model, text, call, pieces } = reply;
    const chunk = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1_700_000_000, model };
    const give = (delta: unknown, reason: string | null = null) =>
      send(null, { ...chunk, choices: [{ index: 0, delta, finish_reason: reason }] });
    give({ role: 'assistant', content: '' });
    for await (const content of pieces) give({ content });
    if (call) give({ tool_calls: toolCalls(reply) });
    give({}, call ? 'tool_calls' : 'stop');
    send(null, { ...chunk, choices: [], usage: usage(text) });
    send(null, '[DONE]');
  },

  whole(reply) {
    const { id, model, text, call } = reply;
    const message = { role: 'assistant', content: text, ...(call && { tool_calls: toolCalls(reply) }) };
    return {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
      usage: usage(text),
    };
  },
};

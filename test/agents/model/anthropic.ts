/** Anthropic Messages: `POST /v1/messages`. */
import {
  CACHED_TOKENS,
  type Content,
  type Parameter,
  PROMPT_TOKENS,
  partsOf,
  type Turn,
  tokens,
  userTurns,
  type Wire,
} from './conversation.js';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string; readonly content?: MessageContent }[];
  readonly tools?: readonly {
    readonly name?: string;
    readonly input_schema?: { readonly properties?: Record<string, Parameter>; readonly required?: string[] };
  }[];
  readonly output_config?: { readonly format?: unknown };
  readonly output_format?: unknown;
}

type MessageContent =
  | string
  | readonly { readonly type?: string; readonly text?: string; readonly content?: Content }[];

function turnsOf({ messages = [] }: Request): Turn[] {
  return messages.flatMap(({ role, content = '' }): Turn[] => {
    if (role === 'assistant') return [{ role, text: partsOf(content).join('') }];
    if (role !== 'user') return [];
    if (typeof content === 'string') return userTurns(content);
    const results = content.filter(({ type }) => type === 'tool_result');
    return [
      ...results.map(({ content: result }): Turn => ({ role: 'tool', text: partsOf(result).join('\n') })),
      ...userTurns(content.filter(({ type }) => type === 'text')),
    ];
  });
}

/** Its `input_tokens` are those that did not come from the cache. */
const INPUT = {
  input_tokens: PROMPT_TOKENS - CACHED_TOKENS,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: CACHED_TOKENS,
};

export const anthropic: Wire = {
  read(body) {
    const request = body as Request; // the shape that programs of this protocol send
    return {
      model: request.model ?? '',
      isStreamed: request.stream === true,
      turns: turnsOf(request),
      tools: (request.tools ?? []).flatMap(({ name, input_schema: schema }) =>
        name === undefined ? [] : [{ name, parameters: schema?.properties ?? {}, required: schema?.required ?? [] }],
      ),
      wantsJson: (request.output_config?.format ?? request.output_format) !== undefined,
    };
  },

  async stream({ id, model, text, call, pieces }, send) {
    const give = (type: string, more: object = {}) => send(type, { type, ...more });
    const usage = {
      ...INPUT,
      output_tokens: 1,
    };
    const message = { id: `msg_${id.slice(0, 24)}`, type: 'message', role: 'assistant', model, content: [], usage };
    give('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
    give('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    give('ping');
    for await (const piece of pieces)
      give('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } });
    give('content_block_stop', { index: 0 });
    if (call) {
      const block = { type: 'tool_use', id: `toolu_${id.slice(0, 24)}`, name: call.name, input: {} };
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
      give('content_block_start', { index: 1, content_block: block });
      give('content_block_delta', { index: 1, delta });
      give('content_block_stop', { index: 1 });
    }
    const delta = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null };
    give('message_delta', { delta, usage: { output_tokens: tokens(text) } });
    give('message_stop');
  },

  whole({ id, model, text, call }) {
    const words = { type: 'text', text };
    const tool = call && { type: 'tool_use', id: `toolu_${id.slice(0, 24)}`, name: call.name, input: call.input };
    return {
      id: `msg_${id.slice(0, 24)}`,
      type: 'message',
      role: 'assistant',
      model,
      content: tool ? [words, tool] : [words],
      stop_reason: call ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { ...INPUT, output_tokens: tokens(text) },
    };
  },
};

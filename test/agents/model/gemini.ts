/** Gemini: `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent`. */
import {
  CACHED_TOKENS,
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
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly Declaration[] }[];
  readonly generationConfig?: { readonly responseMimeType?: string; readonly responseJsonSchema?: unknown };
}

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly response?: unknown };
}

interface Schema {
  readonly properties?: Record<string, Parameter>;
  readonly required?: string[];
}

interface Declaration {
  readonly name: string;
  readonly parameters?: Schema;
  readonly parametersJsonSchema?: Schema;
}

function turnsOf({ contents = [] }: Request): Turn[] {
  return contents.flatMap(({ role, parts = [] }): Turn[] => {
    if (role === 'model') return [{ role: 'assistant', text: partsOf(parts).join('') }];
    const results = parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []));
    return [
      ...results.map((response): Turn => ({ role: 'tool', text: JSON.stringify(response) })),
      ...userTurns(parts.filter(({ functionResponse }) => functionResponse === undefined)),
    ];
  });
}

function toTool({ name, parameters, parametersJsonSchema }: Declaration) {
  const schema = parametersJsonSchema ?? parameters;
  return { name, parameters: schema?.properties ?? {}, required: schema?.required ?? [] };
}

const chunk = ({ id, model, text }: Stream, parts: unknown[], isLast: boolean) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast && { finishReason: 'STOP' }) }],
  usageMetadata: {
    promptTokenCount: PROMPT_TOKENS,
    cachedContentTokenCount: CACHED_TOKENS,
    candidatesTokenCount: tokens(text),
    totalTokenCount: PROMPT_TOKENS + tokens(text),
  },
  modelVersion: model,
  responseId: id,
});

const callPart = ({ call }: Stream) => (call ? [{ functionCall: { name: call.name, args: call.input } }] : []);

export const gemini: Wire = {
  read(body, path) {
    const { generationConfig: config, ...request } = body as Request; // the shape that programs of this protocol send
    const [, model = '', verb] = /models\/([^/:]+):(\w+)$/.exec(path) ?? [];
    return {
      model,
      isStreamed: verb === 'streamGenerateContent',
      turns: turnsOf(request),
      tools: (request.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(toTool)),
      wantsJson: config?.responseMimeType === 'application/json' || config?.responseJsonSchema !== undefined,
    };
  },

  async stream(reply, send) {
    // Its programs treat the chunk with a finish reason as the last one, and expect text in it.
    let held: string | null = null;
    for await (const piece of reply.pieces) {
      if (held !== null) send(null, chunk(reply, [{ text: held }], false));
      held = piece;
    }
    send(null, chunk(reply, [...(held === null ? [] : [{ text: held }]), ...callPart(reply)], true));
  },

  whole: (reply) => chunk(reply, [{ text: reply.text }, ...callPart(reply)], true),
};

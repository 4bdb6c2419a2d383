/**
 * The common form of requests and replies, independent of the protocol: it connects scripts and wires.
 *
 * In:   the JSON bodies of four protocols, through the readers here.
 * Out:  turns in order. A person's text is separated from what the program adds around it.
 */
export interface Turn {
  /** `tool`: the result of a tool. */
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** The parts of a user's message as in the request, without the tag and escapes of Mastra Code. */
  readonly parts?: readonly string[];
}

/** A tool that the program offers: its name, and its parameters by name. */
export interface Tool {
  readonly name: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly required: readonly string[];
}

export interface Parameter {
  readonly type?: string | readonly string[];
}

export interface Ask {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly turns: readonly Turn[];
  /** Empty for the program's own requests, such as for a title or a summary. */
  readonly tools: readonly Tool[];
  /** True if the reply must be JSON. */
  readonly wantsJson: boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly text: string;
  readonly call?: ToolCall;
  /** The speed of streaming. Default: the server's own. */
  readonly pace?: Pace;
  /** Refuses the request instead of replying. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** `chars` characters at a time, with a pause of `pauseMs` after each. */
export interface Pace {
  readonly chars: number;
  readonly pauseMs: number;
}

/** A reply in progress: the complete text, and the stream of its pieces. */
export interface Stream {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly call: ToolCall | null;
  readonly pieces: AsyncIterable<string>;
}

/** Sends one server-sent event; without a name, only its data. */
export type Send = (name: string | null, data: unknown) => void;

/** One API protocol. `read` parses the requests of the programs that use it. A body of another shape gives no turns. */
export interface Wire {
  read(body: unknown, path: string): Ask;
  stream(reply: Stream, send: Send): Promise<void>;
  whole(reply: Stream): unknown;
}

/** Content in all four protocols: a text, or parts of which some contain text. */
export type Content = string | readonly (string | { readonly text?: string })[] | null | undefined;

/** The tags that Claude Code puts around several pasted lines; the text between them is what was typed. */
const PASTED = /\n*<pasted_content id="(\w+)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n*/g;
/** Tags around texts that programs add to a person's message, or send as a separate message. */
const ADDED =
  /<(system-reminder|environment_context|user_instructions|permissions instructions|session_context|current_datetime|reminder|recommended_plugins|skills_instructions)>[\s\S]*?<\/\1>/g;

/** The tag that Mastra Code puts around a person's message. It escapes the text in it, as XML requires. */
const DELIVERED = /^<user(?: [\w-]+="[^"]*")*>([\s\S]*)<\/user>$/;
const unescapeXml = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
const undelivered = (part: string): string => {
  const [, inner] = DELIVERED.exec(part) ?? [];
  return inner === undefined ? part : unescapeXml(inner);
};

export const partsOf = (content: Content): string[] =>
  typeof content === 'string'
    ? [content]
    : (content ?? []).flatMap((part) =>
        typeof part === 'string' ? [part] : part.text === undefined ? [] : [part.text],
      );

/** Returns a person's message. A part that contains only the program's additions is left out; an empty part is not. */
export function userTurns(content: Content): Turn[] {
  const parts = partsOf(content).map(undelivered);
  const said = parts.flatMap((part) => {
    const text = part.replace(ADDED, '').replace(PASTED, '$2');
    if (text === part) return [text];
    const words = text.replace(/^\n+|\n+$/g, '');
    return words === '' ? [] : [words];
  });
  return said.length === 0 ? [] : [{ role: 'user', text: said.join('\n'), parts }];
}

/** A rough number of tokens; no program checks it. */
export const tokens = (text: string): number => Math.ceil(text.length / 4);
/** The tokens of every prompt. */
export const PROMPT_TOKENS = 100;
/** Of these, the tokens that came from the cache. */
export const CACHED_TOKENS = 40;

/**
 * What a model request says and what a model replies, whatever protocol carries it: the language between the scripts
 * and the wires.
 *
 * In:   the JSON bodies of four protocols, through the readers here.
 * Out:  turns in order, a person's words without what the program puts around them.
 */
export interface Turn {
  /** `tool`: what a tool gave back. */
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** The parts of a user's message exactly as the request has them. */
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
  /** None: the program asks for itself, for a title or a summary. */
  readonly tools: readonly Tool[];
  /** Whether the reply must be JSON. */
  readonly wantsJson: boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly text: string;
  readonly call?: ToolCall;
  /** How it is streamed; the server's own pace unless said. */
  readonly pace?: Pace;
  /** Instead of all this: the request is refused. */
  readonly refusal?: Refusal;
}

export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** So many characters at a time, and a pause of so many ms after each. */
export interface Pace {
  readonly chars: number;
  readonly pauseMs: number;
}

/** A reply on its way: the same text whole, and in pieces that come as they come. */
export interface Stream {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly call: ToolCall | null;
  readonly pieces: AsyncIterable<string>;
}

/** One server-sent event; without a name only its data. */
export type Send = (name: string | null, data: unknown) => void;

/** One protocol. `read` takes what its programs send; a body of another shape gives no turns. */
export interface Wire {
  read(body: unknown, path: string): Ask;
  stream(reply: Stream, send: Send): Promise<void>;
  whole(reply: Stream): unknown;
}

/** Content in all four protocols: text, or parts of which some have text. */
export type Content = string | readonly (string | { readonly text?: string })[] | null | undefined;

/** Claude Code says so of several lines that were pasted; the words between are what was typed. */
const PASTED = /\n*<pasted_content id="(\w+)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n*/g;
/** What programs put around a person's words, or send as a message of their own. */
const ADDED =
  /<(system-reminder|environment_context|user_instructions|permissions instructions|session_context|current_datetime|reminder|recommended_plugins|skills_instructions)>[\s\S]*?<\/\1>/g;

export const partsOf = (content: Content): string[] =>
  typeof content === 'string'
    ? [content]
    : (content ?? []).flatMap((part) =>
        typeof part === 'string' ? [part] : part.text === undefined ? [] : [part.text],
      );

/** A person's message: a part that is nothing but what the program adds is left out, an empty one is not. */
export function userTurns(content: Content): Turn[] {
  const parts = partsOf(content);
  const said = parts.flatMap((part) => {
    const text = part.replace(ADDED, '').replace(PASTED, '$2');
    if (text === part) return [text];
    const words = text.replace(/^\n+|\n+$/g, '');
    return words === '' ? [] : [words];
  });
  return said.length === 0 ? [] : [{ role: 'user', text: said.join('\n'), parts }];
}

/** Tokens, roughly; no program minds. */
export const tokens = (text: string): number => Math.ceil(text.length / 4);
export const PROMPT_TOKENS = 100;

/**
 * How the model of a trial calls a tool of orchd: by its name at the agent's MCP client, or as the agent was told to,
 * in its shell.
 */
import type { Tool } from './model/conversation.js';
import { shellCall } from './model/tools.js';

/** As the system prompt says it, in the JSON of a request. */
const SHELL_WORDS = /\\n {4}(\S+ \S+ tool) NAME --input/;

/** Each agent names the tools of a server in its own way; some take no hyphens. */
export const isCalled = ({ name }: Tool, tool: string): boolean =>
  new RegExp(`orchd[^a-z]+${tool.replaceAll('-', '[-_]')}$`).test(name);

export interface AnyWay {
  /** What the agent asks its model: the words for its shell stand in one of them. */
  onRequest(path: string, body: unknown): void;
  /** Null: there is no such tool. */
  call(tools: readonly Tool[], tool: string, input: Record<string, unknown>): ReturnType<typeof shellCall> | null;
}

export function callByAnyWay(): AnyWay {
  let shellWords: string | undefined;
  return {
    onRequest(_path, body) {
      shellWords ??= SHELL_WORDS.exec(JSON.stringify(body))?.[1];
    },
    call(tools, tool, input) {
      const name = tools.find((one) => isCalled(one, tool))?.name;
      if (name !== undefined) return { name, input };
      if (shellWords === undefined) return null;
      return shellCall(tools, `${shellWords} ${tool} --input '${JSON.stringify(input)}'`) ?? null;
    },
  };
}

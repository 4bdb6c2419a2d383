/**
 * Lets the model of a trial call a tool of orchd: through the agent's MCP client, or in the agent's shell if the agent
 * was told to do so.
 */
import type { Tool } from './model/conversation.js';
import { shellCall } from './model/tools.js';

/** Matches the command in the system prompt, as it is in the JSON of a request. */
const SHELL_WORDS = /\\n {4}(\S+ \S+ tool) NAME --input/;

/** Matches a tool's name in each agent's naming scheme. Some agents do not accept hyphens. */
export const isCalled = ({ name }: Tool, tool: string): boolean =>
  new RegExp(`orchd[^a-z]+${tool.replaceAll('-', '[-_]')}$`).test(name);

export interface AnyWay {
  /** Called with each request to the model; one of them contains the command for the shell. */
  onRequest(path: string, body: unknown): void;
  /** Returns null if the tool is not offered. */
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

/**
 * Handlers of the calls that a session's agent makes: listing its tools, calling a tool, and asking a question through
 * a hook.
 */
import type { Hooks } from '../hooks/index.js';
import type { Registry } from '../registry/index.js';
import type { Tools } from '../tools/index.js';
import type { Handlers } from './handler.js';

export interface ToolPorts {
  readonly registry: Registry;
  readonly tools: Tools;
  readonly hooks: Hooks;
}

export const toolHandlers = ({ hooks, registry, tools }: ToolPorts) =>
  ({
    'session.tools': async ({ session }) => ({
      tools: tools.offered(registry.session(session)).map(({ name }) => name),
    }),
    'session.tool': async ({ session, tool, wait, call_id, timeout_ms, ...input }, caller) =>
      tools.call(
        registry.session(session),
        { tool, input, wait, callId: call_id ?? caller.requestKey ?? undefined, timeoutMs: timeout_ms },
        caller,
      ),
    'session.hook': async ({ session, call_id, payload }, caller) =>
      hooks.ask(registry.session(session), payload, call_id, caller),
  }) satisfies Partial<Handlers>;

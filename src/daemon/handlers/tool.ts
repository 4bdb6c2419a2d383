import type { Handlers } from './context.js';

export const toolHandlers = {
  'session.tools': async (house, { session }) => ({
    tools: house.tools.offered(house.registry.session(session)).map(({ name }) => name),
  }),
  'session.tool': async (house, { session, tool, wait, call_id, timeout_ms, ...input }, caller) =>
    house.tools.call(
      house.registry.session(session),
      { tool, input, wait, callId: call_id ?? caller.requestKey ?? undefined, timeoutMs: timeout_ms },
      caller,
    ),
  'session.hook': async (house, { session, call_id, payload }, caller) =>
    house.hooks.ask(house.registry.session(session), payload, call_id, caller),
} satisfies Partial<Handlers>;

import type { Handlers } from './context.js';

export const inboxHandlers = {
  'inbox.list': async (house, { all = false, session }) => {
    const sessionId = session === undefined ? undefined : house.registry.session(session).id;
    return house.registry
      .items()
      .filter((item) => (all || item.state === 'open') && (sessionId === undefined || item.session_id === sessionId));
  },
  'inbox.show': async (house, { item }) => house.registry.item(item).item,
  'inbox.answer': async (house, { item, by, ...request }, caller) =>
    house.answers.answer(item, request, by ?? caller.client),
} satisfies Partial<Handlers>;

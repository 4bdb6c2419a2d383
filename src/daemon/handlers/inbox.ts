import type { Item } from '../../protocol/index.js';
import type { Handlers } from './context.js';

export const inboxHandlers = {
  'inbox.list': async (house, { all = false, stalled = false, session }) => {
    const sessionId = session === undefined ? undefined : house.registry.session(session).id;
    const isHeld = ({ answer, session_id }: Item): boolean =>
      stalled && answer?.delivery === 'stalled' && house.registry.get(session_id)?.hasEnded === false;
    return house.registry
      .items()
      .filter((item) => all || item.state === 'open' || isHeld(item))
      .filter((item) => sessionId === undefined || item.session_id === sessionId);
  },
  'inbox.show': async (house, { item }) => house.registry.item(item).item,
  'inbox.answer': async (house, { item, by, ...request }, caller) =>
    house.answers.answer(item, request, by ?? caller.client),
} satisfies Partial<Handlers>;

import { timestamp } from '../../lifecycle/index.js';
import type { Handlers } from './context.js';

export const notifyHandlers = {
  'notify.test': async (house) => house.notifier.test(),
  'presence.tell': async (house, { client_id, session, present }) => {
    const sessionId = session === undefined ? null : house.registry.session(session).id;
    const until = house.notifier.tellPresence(client_id, sessionId, present);
    return { present_until: until === null ? null : timestamp(until) };
  },
} satisfies Partial<Handlers>;

/** Handlers for notifications: a test of the notify command, and the reports of clients that a person is present. */
import { timestamp } from '../../lifecycle/index.js';
import type { Notifier } from '../notify/index.js';
import type { Registry } from '../registry/index.js';
import type { Handlers } from './handler.js';

export interface NotifyPorts {
  readonly registry: Registry;
  readonly notifier: Notifier;
}

export const notifyHandlers = ({ notifier, registry }: NotifyPorts) =>
  ({
    'notify.test': async () => notifier.test(),
    'presence.tell': async ({ client_id, session, present }) => {
      const sessionId = session === undefined ? null : registry.session(session).id;
      const until = notifier.tellPresence(client_id, sessionId, present);
      return { present_until: until === null ? null : timestamp(until) };
    },
  }) satisfies Partial<Handlers>;

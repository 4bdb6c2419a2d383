/** Handlers of the `inbox.*` operations: list, show and answer items, and take back an answer. */
import type { Item } from '../../protocol/index.js';
import { mayAnswer, type ParentAnswersPorts } from '../access/index.js';
import type { Answers } from '../answers/index.js';
import type { Handlers } from './handler.js';

export interface InboxPorts extends ParentAnswersPorts {
  readonly answers: Answers;
}

export const inboxHandlers = (ports: InboxPorts) => {
  const { registry, answers } = ports;
  return {
    'inbox.list': async ({ all = false, stalled = false, session }) => {
      const sessionId = session === undefined ? undefined : registry.session(session).id;
      const isHeld = ({ answer, session_id }: Item): boolean =>
        stalled && answer?.delivery === 'stalled' && registry.get(session_id)?.hasEnded === false;
      return registry
        .items()
        .filter((item) => all || item.state === 'open' || isHeld(item))
        .filter((item) => sessionId === undefined || item.session_id === sessionId);
    },
    'inbox.show': async ({ item }) => registry.item(item).item,
    'inbox.answer': async ({ item, by, ...request }, caller) => {
      const { session, device, isRemote, requestKey } = caller;
      const own = device !== null || isRemote; // they cannot answer in the name of another client
      if (session === null)
        return answers.answer(item, request, own ? caller.client : (by ?? caller.client), requestKey);
      const asked = registry.item(item);
      mayAnswer(ports, session, asked.entry, asked.item);
      return answers.answer(asked.item.id, request, `session:${session.view.name}`, requestKey);
    },
    'inbox.take_back': async ({ item }, { client }) => answers.takeBack(item, client),
  } satisfies Partial<Handlers>;
};

/**
 * Handlers of the `inbox.*` operations: list, show and answer items, and take back an answer. An agent may answer only
 * questions of sessions that it started, and only if the configuration allows it.
 */
import { outlivesSession } from '../../lifecycle/index.js';
import { type Item, OrchdError, PARENT_ANSWERS } from '../../protocol/index.js';
import type { Answers } from '../answers/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Handlers } from './handler.js';

export interface InboxPorts {
  readonly registry: Registry;
  readonly answers: Answers;
  /** Setting `sessions.children_answer`. */
  readonly childrenAnswer: boolean;
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

/** @throws {OrchdError} ORCHD_FORBIDDEN unless the agent of a session may answer the item. */
function mayAnswer(
  { registry, childrenAnswer }: InboxPorts,
  caller: SessionEntry,
  entry: SessionEntry,
  item: Item,
): void {
  const refuse = (why: string): never => {
    throw new OrchdError('ORCHD_FORBIDDEN', `you are inside session '${caller.view.name}': ${why}`);
  };
  if (!childrenAnswer) {
    refuse('answers are for a person to give, unless `sessions.children_answer` in their own configuration allows it');
  }
  if (entry === caller || !registry.isWithin(entry, caller)) {
    refuse('it may answer only sessions that it started (`sessions.children_answer`)');
  }
  const isOfTask = item.task_id !== undefined || item.workflow_id !== undefined;
  if (!PARENT_ANSWERS.includes(item.type) || isOfTask || (outlivesSession(item) && item.run_id === undefined)) {
    refuse(`it may answer ${PARENT_ANSWERS.join(' and ')} only; a person decides plans, gates and all other items`);
  }
}

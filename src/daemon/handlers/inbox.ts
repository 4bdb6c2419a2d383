import { outlivesSession } from '../../lifecycle/index.js';
import { type Item, OrchdError, parentMayAnswer } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Handlers, House } from './context.js';

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
  'inbox.answer': async (house, { item, by, ...request }, caller) => {
    const { session } = caller;
    if (session === null) return house.answers.answer(item, request, by ?? caller.client);
    const asked = house.registry.item(item);
    mayAnswer(house, session, asked.entry, asked.item);
    return house.answers.answer(asked.item.id, request, `session:${session.view.name}`);
  },
} satisfies Partial<Handlers>;

/** @throws {OrchdError} ORCHD_FORBIDDEN unless the agent of a session may answer the item. */
function mayAnswer(
  { registry, childrenAnswer }: Pick<House, 'registry' | 'childrenAnswer'>,
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
  if (!parentMayAnswer(item.type) || isOfTask || (outlivesSession(item) && item.run_id === undefined)) {
    refuse('it may answer QUESTION and BLOCKED only; reviews, dialogs, plans and gates are for a person to decide');
  }
}

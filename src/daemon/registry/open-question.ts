/** Questions of tasks and workflows: items in a session whose program has ended or never existed. */
import type { Input } from '../../lifecycle/index.js';
import type { Item } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry } from './registry.js';
import type { SessionEntry } from './session-entry.js';

export interface QuestionPorts {
  readonly registry: Registry;
  readonly log: Log;
  readonly now: () => number;
}

type QuestionRequest = Pick<Extract<Input, { kind: 'question_opened' }>, 'itemId' | 'by' | 'question' | 'options'>;

/** Returns the item if the question was already opened. */
export const questionItem = (registry: Registry, itemId: string): Item | undefined =>
  registry.items().find((item) => item.id === itemId);

/** Opens an item for a question. Resolves as `SessionEntry.apply` does. */
export const openQuestion = (
  { now }: Pick<QuestionPorts, 'now'>,
  entry: SessionEntry,
  request: QuestionRequest,
): Promise<void> => entry.apply({ kind: 'question_opened', ...request, time: now() });

/** Withdraws those of the given items that are still open. */
export async function withdrawQuestions(
  { registry, now }: Pick<QuestionPorts, 'registry' | 'now'>,
  itemIds: readonly string[],
  reason: Extract<Input, { kind: 'question_withdrawn' }>['reason'],
): Promise<void> {
  for (const item of registry.items().filter(({ id, state }) => itemIds.includes(id) && state === 'open'))
    await registry.get(item.session_id)?.apply({ kind: 'question_withdrawn', itemId: item.id, reason, time: now() });
}

/** The questions of a task in the inbox: items of the session whose agent planned it, which has ended. */
import { type Item, OrchdError, type TaskQuestion } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry.js';

export interface QuestionPorts {
  readonly registry: Registry;
  readonly log: Log;
  readonly now: () => number;
}

export interface Asking {
  readonly taskId: string;
  readonly sessionId: string | null;
  readonly questions: readonly TaskQuestion[];
}

/** Each once. @returns Those that were there already; null where the session that asked is gone. */
export async function poseQuestions(
  { registry, log, now }: QuestionPorts,
  { taskId, sessionId, questions }: Asking,
): Promise<readonly Item[] | null> {
  const entry = sessionId === null ? undefined : registry.get(sessionId);
  const there: Item[] = [];
  for (const { item_id: itemId, question } of questions) {
    const known = registry.items().find((item) => item.id === itemId);
    if (known) there.push(known);
    else if (!entry) {
      log.error('the session that asked is gone', new OrchdError('ORCHD_SESSION_UNKNOWN', question), { task: taskId });
      return null;
    } else {
      const posed = entry.apply({ kind: 'posed', itemId, taskId, question, time: now() });
      await posed.catch((error: unknown) =>
        log.error('a question of a task could not be asked', error, { task: taskId }),
      );
    }
  }
  return there;
}

export async function withdrawQuestions({ registry, now }: QuestionPorts, itemIds: readonly string[]): Promise<void> {
  for (const item of registry.items().filter(({ id, state }) => itemIds.includes(id) && state === 'open'))
    await registry
      .get(item.session_id)
      ?.apply({ kind: 'unposed', itemId: item.id, reason: 'task_cancelled', time: now() });
}

/** The questions of a task in the inbox: items of its planner's session, which has ended. */
import { type Item, OrchdError, type TaskQuestion } from '../../protocol/index.js';
import { openQuestion, type QuestionPorts, questionItem } from '../registry/index.js';

interface Asking {
  readonly taskId: string;
  readonly sessionId: string | null;
  readonly questions: readonly TaskQuestion[];
}

/**
 * Opens each question once.
 * @returns The items that already existed; null if the session is gone.
 */
export async function openQuestionItems(
  ports: QuestionPorts,
  { taskId, sessionId, questions }: Asking,
): Promise<readonly Item[] | null> {
  const entry = sessionId === null ? undefined : ports.registry.get(sessionId);
  const there: Item[] = [];
  for (const { item_id: itemId, question } of questions) {
    const known = questionItem(ports.registry, itemId);
    if (known) there.push(known);
    else if (!entry) {
      const gone = new OrchdError('ORCHD_SESSION_UNKNOWN', question);
      ports.log.error('the session that asked is gone', gone, { task: taskId });
      return null;
    } else {
      const opened = openQuestion(ports, entry, { itemId, by: { task_id: taskId }, question, options: [] });
      await opened.catch((error: unknown) =>
        ports.log.error('a question of a task could not be asked', error, { task: taskId }),
      );
    }
  }
  return there;
}

/**
 * What the agent of a session may answer of the sessions that it started: QUESTION and BLOCKED, if the configuration
 * allows it. Text that it types into such a session counts as an answer, too, while an item of the session is open.
 */
import { outlivesSession } from '../../lifecycle/index.js';
import { type Item, OrchdError, PARENT_ANSWERS } from '../../protocol/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';

export interface ParentAnswersPorts {
  readonly registry: Registry;
  /** Setting `sessions.children_answer`. */
  readonly childrenAnswer: boolean;
}

/** @throws {OrchdError} ORCHD_FORBIDDEN unless the agent of a session may answer the item. */
export function mayAnswer(ports: ParentAnswersPorts, caller: SessionEntry, entry: SessionEntry, item: Item): void {
  const why = refusal(ports, caller, entry, item);
  if (why !== null) throw forbidden(caller, why);
}

/**
 * @param caller  The session that types; null for a person.
 * @throws {OrchdError} ORCHD_FORBIDDEN while an item of the session is open that the caller may not answer.
 */
export function mayType(ports: ParentAnswersPorts, caller: SessionEntry | null, entry: SessionEntry): void {
  const refused = typingRefusal(ports, caller, entry);
  if (refused !== null) throw refused;
}

/** Returns the error that `mayType` throws; null if the caller may type. */
export function typingRefusal(
  ports: ParentAnswersPorts,
  caller: SessionEntry | null,
  entry: SessionEntry,
): OrchdError | null {
  if (caller === null) return null;
  for (const item of ports.registry.itemsOf(entry)) {
    if (item.state !== 'open' || item.awaited) continue;
    const why = refusal(ports, caller, entry, item);
    if (why !== null)
      return forbidden(caller, `typing would answer the ${item.type} of '${entry.view.name}', and ${why}`);
  }
  return null;
}

/** Returns the reason why the agent may not answer; null if it may. */
function refusal(
  { registry, childrenAnswer }: ParentAnswersPorts,
  caller: SessionEntry,
  entry: SessionEntry,
  item: Item,
): string | null {
  if (!childrenAnswer) {
    return 'answers are for a person to give, unless `sessions.children_answer` in their own configuration allows it';
  }
  if (entry === caller || !registry.isWithin(entry, caller)) {
    return 'it may answer only sessions that it started (`sessions.children_answer`)';
  }
  const isOfTask = item.task_id !== undefined || item.workflow_id !== undefined;
  const mayNot =
    !PARENT_ANSWERS.includes(item.type) || isOfTask || (outlivesSession(item) && item.run_id === undefined);
  return mayNot
    ? `it may answer ${PARENT_ANSWERS.join(' and ')} only; a person decides plans, gates and all other items`
    : null;
}

const forbidden = (caller: SessionEntry, why: string): OrchdError =>
  new OrchdError('ORCHD_FORBIDDEN', `you are inside session '${caller.view.name}': ${why}`);

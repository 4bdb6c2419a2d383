/**
 * A session is lost when its host dies. It may be revived: its program is started again in the same session.
 *
 *     questions                 stay open. A resumed agent still waits for the answers; a new program asks again
 *     answers not yet typed     wait (`session_lost`) and are typed into the resumed agent
 *     answers partly typed      are never typed again, because the part that arrived is unknown
 *     dialogs                   are withdrawn, because their screen is gone
 *     questions of tasks        belong to the task: the end and the revival of the session do not change them
 */
import type { Session } from '../../protocol/index.js';
import { isDeliveryPending } from '../answers/delivery-pending.js';
import { timestamp } from '../timestamp.js';
import type { Revival, TrackedItem } from './aggregate.js';
import type { Draft } from './draft.js';
import { isOfTaskOrWorkflow, stall, unawaited, withdraw } from './items.js';

export function loseSession(draft: Draft, time: number): void {
  for (const entry of draft.items) {
    const { item, writeId } = entry;
    if (item.state === 'open' && item.type === 'attention') withdraw(draft, entry, 'session_lost', time);
    if (item.state === 'open' || writeId === null) continue;
    stall(draft, writeId, isUntyped(entry) ? 'session_lost' : 'session_ended', time);
  }
  draft.asks = [];
  const { idle: _idle, ...session } = draft.session;
  draft.session = { ...session, ended_at: timestamp(time) };
  draft.observe({ kind: 'lost' }, time);
}

/** True if no part of the answer was typed: the write of an answer sets `answeredTurn`. */
const isUntyped = ({ item, answeredTurn }: TrackedItem): boolean => item.type !== 'attention' && answeredTurn === null;

export function reviveSession(draft: Draft, revival: Revival, time: number): void {
  const { how, command, pid, size, agentSessionId, transcript, from } = revival;
  const isResumed = how === 'conversation';
  draft.emit('session_revived', time, {
    how,
    command: [...command],
    pid,
    size,
    agent_session_id: agentSessionId,
    transcript,
    from,
  });
  for (const entry of draft.items) {
    if (isResumed || isOfTaskOrWorkflow(entry.item)) continue;
    if (entry.item.state === 'open') withdraw(draft, entry, 'session_restarted', time);
    else if (entry.writeId !== null) stall(draft, entry.writeId, 'session_ended', time);
  }
  draft.changeItems(({ item }) => item.awaited === true, unawaited); // the waiting callers ended with the program
  // Written answers were written to the previous program.
  draft.items = draft.items.filter(
    ({ item }) => isOfTaskOrWorkflow(item) || (isResumed && (item.state === 'open' || isDeliveryPending(item.answer))),
  );
  const { ended_by: _by, ended_by_name: _name, idle: _idle, ...session } = draft.session;
  draft.session = {
    ...(isResumed ? session : withoutReports(session)),
    pid,
    size,
    agent_session_id: agentSessionId,
    transcript,
    ended_at: null,
    exit_code: null,
    signal: null,
  };
  draft.observe({ kind: 'revived' }, time);
}

/** Returns the session without the values that the previous program reported. */
function withoutReports({
  total_steps: _total,
  completed_steps: _completed,
  last_completion: _last,
  ...session
}: Session): Session {
  return { ...session, progress: null, current_step: null, last_error: null };
}

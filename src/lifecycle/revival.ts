/**
 * A session whose host dies is lost, and may be revived: its program is started again in the same session.
 *
 *     what was asked            stays open through the loss; a resumed agent is asked still, a program that begins anew
 *                               asks again
 *     an answer that nothing    waits (`session_lost`) and is typed into the resumed agent
 *     was typed of
 *     one that was begun        is never typed again: nobody knows how much of it arrived
 *     a dialog                  went with the screen that it stood on
 *     what a task asks          is the task's: no end and no new beginning of the session touches it
 */
import type { Session } from '../protocol/index.js';
import type { BookItem, Revival } from './book.js';
import type { Draft } from './draft.js';
import { isPosed, stall, unawaited, withdraw } from './items.js';
import { isUnderWay } from './passing.js';
import { timestamp } from './timestamp.js';

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
  draft.judge({ kind: 'lost' }, time);
}

/** The write of an answer begins the turn that the answer is for. */
const isUntyped = ({ item, answeredTurn }: BookItem): boolean => item.type !== 'attention' && answeredTurn === null;

export function reviveSession(draft: Draft, revival: Revival, time: number): void {
  const { how, command, pid, size, agentSessionId, transcript, from } = revival;
  const isResumed = how === 'conversation';
  draft.emit('session_revived', time, {
    ...{ how, command: [...command], pid, size, agent_session_id: agentSessionId, transcript, from },
  });
  for (const entry of draft.items) {
    if (isResumed || isPosed(entry.item)) continue;
    if (entry.item.state === 'open') withdraw(draft, entry, 'session_restarted', time);
    else if (entry.writeId !== null) stall(draft, entry.writeId, 'session_ended', time);
  }
  draft.changeItems(({ item }) => item.awaited === true, unawaited); // who called is gone with the program
  // What is written was written to the program before.
  draft.items = draft.items.filter(
    ({ item }) => isPosed(item) || (isResumed && (item.state === 'open' || isUnderWay(item.answer))),
  );
  const { ended_by: _by, idle: _idle, ...session } = draft.session;
  draft.session = {
    ...(isResumed ? session : unsaid(session)),
    ...{ pid, size, agent_session_id: agentSessionId, transcript },
    ...{ ended_at: null, exit_code: null, signal: null },
  };
  draft.judge({ kind: 'revived' }, time);
}

/** The session without what the program before it said. */
function unsaid({
  total_steps: _total,
  completed_steps: _completed,
  last_completion: _last,
  ...session
}: Session): Session {
  return { ...session, progress: null, current_step: null, last_error: null };
}

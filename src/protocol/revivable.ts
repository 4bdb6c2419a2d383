/** How a session would be started again once it has ended: the same rule for who asks, who shows it and who does it. */
import type { RevivalHow, Session } from './generated/types.js';

/** The adapter of programs that are not known to have conversations. */
const ANY_PROGRAM = 'shell';

/** @returns Null for an agent whose conversation is not known: that one only begins anew. */
export function revivable(session: Pick<Session, 'adapter' | 'agent_session_id'>): RevivalHow | null {
  if (session.adapter === ANY_PROGRAM) return 'program';
  return session.agent_session_id === null ? null : 'conversation';
}

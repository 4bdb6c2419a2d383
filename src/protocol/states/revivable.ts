/** Determines how an ended session would be started again. Used by the daemon, by the CLI, and by views. */
import type { RevivalHow, Session } from '../generated/types.js';

/** The adapter of programs that have no conversation to resume. */
const ANY_PROGRAM = 'shell';

/** @returns Null for an agent whose conversation is not known. It can only start a new one. */
export function revivable(session: Pick<Session, 'adapter' | 'agent_session_id'>): RevivalHow | null {
  if (session.adapter === ANY_PROGRAM) return 'program';
  return session.agent_session_id === null ? null : 'conversation';
}

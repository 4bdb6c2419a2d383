/**
 * The actions of a person on a session, and which of them are confirmed first: the same in the TUI and in the
 * dashboard.
 */
import type { RevivalHow, Session, State } from '../generated/types.js';

export type SessionAct = 'kill' | 'restart' | 'remove' | 'export';

interface SessionActRule {
  /** True for sessions that the act can be applied to. */
  readonly fits: (session: Session) => boolean;
  /** Follows the names of sessions to which the act cannot be applied. */
  readonly unfit: string;
  /** True if the person has to confirm the act first. */
  readonly asks: (sessions: readonly Session[]) => boolean;
}

const ENDED: ReadonlySet<State> = new Set(['exited', 'lost']);

/** True for a session that has not ended and is not lost. */
export const isAlive = (session: Pick<Session, 'ended_at' | 'state'>): boolean =>
  session.ended_at === null && !ENDED.has(session.state);

export const SESSION_ACTS: Readonly<Record<SessionAct, SessionActRule>> = {
  kill: { fits: isAlive, unfit: 'has ended already', asks: () => true },
  restart: {
    fits: ({ mode, imported }) => mode !== 'batch' && imported !== true,
    unfit: 'cannot be started again',
    asks: (sessions) => sessions.some(isAlive),
  },
  remove: { fits: (session) => !isAlive(session), unfit: 'is running', asks: () => true },
  export: { fits: () => true, unfit: '', asks: () => false },
};

/** The adapter of programs that have no conversation to resume. */
const ANY_PROGRAM = 'shell';

/** @returns Null for an agent whose conversation is not known. It can only start a new one. */
export function revivable(session: Pick<Session, 'adapter' | 'agent_session_id'>): RevivalHow | null {
  if (session.adapter === ANY_PROGRAM) return 'program';
  return session.agent_session_id === null ? null : 'conversation';
}

/** Returns a new session: the facts of its start, and defaults for all other fields. */
import type { Session } from './generated/types.js';

type GivenField = 'id' | 'name' | 'adapter' | 'command' | 'cwd' | 'pid' | 'size' | 'key_required' | 'created_at';

/** Creates the session. It has no parent and runs in a pty, unless the caller says otherwise. */
export function newSession({
  parent_session_id = null,
  mode = 'pty',
  ...known
}: Pick<Session, GivenField> & Partial<Pick<Session, 'parent_session_id' | 'mode'>>): Session {
  return {
    ...known,
    parent_session_id,
    mode,
    state: 'starting',
    state_source: 'process',
    agent_session_id: null,
    transcript: 'none',
    progress: null,
    current_step: null,
    last_error: null,
    open_items: 0,
    exit_code: null,
    signal: null,
    turn: 0,
    ended_at: null,
    journal_position: 0,
  };
}

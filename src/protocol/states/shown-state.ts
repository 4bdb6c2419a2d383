/** The state of a session as people see it: the API's state, or a more precise word. */

import type { Session } from '../generated/types.js';
import { displayLine } from '../text/index.js';
import { type Badge, STATE_BADGES } from './badges.js';

interface ShownState extends Badge {
  /** A short form for a narrow column. */
  readonly word: string;
  /** The form with all details. */
  readonly words: string;
}

type Shown = Pick<Session, 'state' | 'ended_at' | 'adapter'> & {
  readonly ended_by?: string;
  readonly ended_by_name?: string;
  readonly idle?: true;
  readonly catching_up?: number;
};

const PEOPLE: ReadonlySet<string> = new Set(['cli', 'tui', 'api', 'web']);
const IDLE: ReadonlySet<Session['state']> = new Set(['starting', 'working', 'waiting', 'unknown']);

/**
 * @returns `ended by you` for a session that a client ended, `catching up` with how far, `idle` for a program at its
 *   prompt, `running` for a full-screen program that orchd cannot read; otherwise the state itself.
 */
export function shownState(session: Shown): ShownState {
  const { state, ended_at, ended_by, ended_by_name, idle, adapter, catching_up } = session;
  const badge = STATE_BADGES[state];
  if (catching_up !== undefined) {
    const words = `catching up (${(catching_up / 1e6).toFixed(1)} MB to go)`;
    return { ...STATE_BADGES.starting, word: 'catching up', words };
  }
  if (ended_by !== undefined && state === 'exited')
    return { ...badge, word: 'ended', words: `ended ${byWords(ended_by, ended_by_name)}` };
  if (ended_at === null && idle && IDLE.has(state)) return { ...STATE_BADGES.waiting, ...IDLE_BADGE };
  if (ended_at === null && state === 'unknown' && adapter === 'shell') return { ...STATE_BADGES.working, ...RUNNING };
  return { ...badge, word: state, words: state };
}

const IDLE_BADGE = { mark: '·', style: 'dim', word: 'idle', words: 'idle' } as const;
const RUNNING = { word: 'running', words: 'running' } as const;

/** Returns `by you`, or `by` and the session's name; its id if the name was not recorded. */
export const byWords = (endedBy: string, name?: string): string =>
  PEOPLE.has(endedBy.replace(/^web:.*/, 'web')) ? 'by you' : `by ${displayLine(name ?? endedBy)}`;

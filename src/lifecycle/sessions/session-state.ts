/**
 * Determines a session's state from the newest evidence.
 *
 * Within a turn, messages have priority over what the process shows. A new turn discards the messages. The end of the
 * process has priority over everything. Pure: takes evidence, returns the standing.
 */
import type { ActivityFinding } from '../../ears/index.js';
import { type Message, OPENS_ITEM, type State, type StateSource, stateOfMessage } from '../../protocol/index.js';

export interface Standing {
  readonly state: State;
  readonly source: StateSource;
  /** The type of the message in this turn that determines the state; null if none does. */
  readonly said: Message['type'] | null;
  /** The state according to `said`, which is hidden while the program itself asks for the person. */
  readonly beneath?: State;
  /** Set if its run has a result. The session then ends as done, whatever the program's exit code. */
  readonly isConcluded?: true;
  /** The client that is ending the program: a client's name, or the id of a session. */
  readonly endedBy?: string;
  /** Set if that client has cancelled the session's run. What the agent said of its task then does not count. */
  readonly isCancelled?: true;
  /** Name of the other session that is ending this one. */
  readonly endedByName?: string;
}

export type Evidence =
  | { readonly kind: 'busy' }
  | { readonly kind: 'turn' }
  | { readonly kind: 'message'; readonly message: Message }
  | {
      readonly kind: 'activity';
      readonly activity: ActivityFinding['activity'];
      readonly source: ActivityFinding['source'];
    }
  /** A tool call has got the answer that it waited for. */
  | { readonly kind: 'given' }
  | { readonly kind: 'attention' }
  | { readonly kind: 'attention_over' }
  /** The run of this session has its result, and the daemon is about to end the program. */
  | { readonly kind: 'concluded' }
  /** A client ends the program; null if that failed. */
  | { readonly kind: 'ending'; readonly by: string | null; readonly byName?: string; readonly isCancelled?: true }
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly kind: 'lost' }
  | { readonly kind: 'revived' };

export const STARTING: Standing = {
  state: 'starting',
  source: 'process',
  said: null,
};

const ACTIVITY: Readonly<Record<ActivityFinding['activity'], State>> = {
  busy: 'working',
  idle: 'waiting',
  unknown: 'unknown',
};

type Rule<K extends Evidence['kind']> = (standing: Standing, evidence: Extract<Evidence, { kind: K }>) => Standing;
/** One rule for each kind of evidence. If one is missing, the compiler reports it. */
const RULES: { readonly [K in Evidence['kind']]: Rule<K> } = {
  busy: (standing) => (standing.said === null ? { state: 'working', source: 'process', said: null } : standing),
  turn: ({ beneath }) =>
    beneath === undefined
      ? { state: 'working', source: 'process', said: null }
      : { state: 'waiting', source: 'screen', said: null, beneath: 'working' },
  message: (standing, { message }) => {
    const state = stateOfMessage(message);
    return state === null ? standing : { state, source: 'message', said: message.type };
  },
  // A message is more reliable than the screen. But an agent that works again does not wait any more.
  activity: (standing, { activity, source }) => {
    if (standing.said !== null) return standing;
    if (standing.beneath !== undefined) return { ...standing, beneath: ACTIVITY[activity] };
    return { state: ACTIVITY[activity], source, said: null };
  },
  given: (standing) => {
    if (standing.said === null || !OPENS_ITEM.has(standing.said)) return standing;
    if (standing.beneath !== undefined) return { ...standing, said: null, beneath: 'working' };
    return { state: 'working', source: 'process', said: null };
  },
  attention: (standing) => ({
    ...standing,
    beneath: standing.beneath ?? standing.state,
    state: 'waiting',
    source: 'screen',
  }),
  attention_over: ({ beneath, ...standing }) =>
    beneath === undefined
      ? standing
      : { ...standing, state: beneath, source: standing.said === null ? 'screen' : 'message' },
  concluded: (standing) => ({ ...standing, isConcluded: true }),
  ending: ({ endedBy: _before, endedByName: _name, isCancelled: _was, ...standing }, { by, byName, isCancelled }) => {
    if (by === null) return standing;
    const how = { ...(byName !== undefined && { endedByName: byName }), ...(isCancelled && { isCancelled }) };
    return { ...standing, endedBy: by, ...how };
  },
  exited: (standing, { exitCode, signal }) => {
    // A recording may not contain how its program ended. That does not count as a failure.
    const isFine = exitCode === 0 || (exitCode === null && signal === null);
    const isDone = (standing.said === 'TASK_COMPLETE' && !standing.isCancelled) || standing.isConcluded;
    // A session that a client ended has not failed, whatever its exit code is.
    const state = isDone ? 'done' : isFine || standing.endedBy !== undefined ? 'exited' : 'failed';
    return { ...standing, state, source: 'process' };
  },
  lost: (standing) => ({ ...standing, state: 'lost', source: 'host' }),
  revived: () => STARTING,
};

/** Returns the standing after a piece of evidence. The caller passes no evidence of an ended session's program. */
export function standingAfter(standing: Standing, evidence: Evidence): Standing {
  // `evidence.kind` selects the rule for this kind, which the compiler cannot see.
  const rule = RULES[evidence.kind] as (standing: Standing, evidence: Evidence) => Standing;
  const next = rule(standing, evidence);
  if (evidence.kind === 'revived' || evidence.kind === 'ending') return next;
  // While the program is being ended, further evidence does not change these.
  const { isConcluded, endedBy, endedByName, isCancelled } = standing;
  return {
    ...next,
    ...(isConcluded && { isConcluded }),
    ...(endedBy !== undefined && { endedBy }),
    ...(endedByName !== undefined && { endedByName }),
    ...(isCancelled && { isCancelled }),
  };
}

/** The origin of a run: the session, task or step that it runs for. */
import type { Run } from '../../protocol/index.js';
import type { Owed } from './plan.js';

/** How an agent started the run. Undefined for a run that a person started. */
export interface Spawned {
  /** The agent's spawn_agent call, as JSON; null for `run.start`. */
  readonly spawn: string | null;
  readonly isWaiting: boolean;
}

/** The caller and the context of a run. */
export interface RunOrigin {
  /** An id that is already in the log, or is derived from a call. Default: a new id. */
  readonly id?: string;
  readonly spawned?: Spawned;
  readonly owes?: Owed;
  /** The step of a workflow. */
  readonly step?: Pick<Run, 'workflow_id' | 'step_id' | 'step_agent'>;
}

/** For whom a run is. */
import type { Run } from '../../protocol/index.js';
import type { Owed } from './plan.js';

/** By an agent. */
export interface Spawned {
  /** Its call of spawn_agent, as JSON; null for `run.start`. */
  readonly spawn: string | null;
  readonly isWaiting: boolean;
}

/** For whom it runs. */
export interface Purpose {
  /** An id that is in the log already, or the same one for the same call. A new id by default. */
  readonly id?: string;
  readonly spawned?: Spawned;
  readonly owes?: Owed;
  /** Of a workflow. */
  readonly step?: Pick<Run, 'workflow_id' | 'step_id' | 'step_agent'>;
}

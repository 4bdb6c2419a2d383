import type { Config, Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Lifetime } from '../startup/index.js';

/** What the parts of the daemon are built from. */
export interface Base {
  readonly paths: Paths;
  readonly log: Log;
  readonly config: Config;
  readonly lifetime: Lifetime;
  /** Ends the daemon after an error. */
  readonly die: (error: unknown) => never;
  /** When the daemon started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** True for a daemon that only ends what runs: `orchd stop` for a host without a daemon. */
  readonly isToStop: boolean;
}

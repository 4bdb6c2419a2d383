/** The base of the daemon: what every part is built from. The modules of this folder each add their parts to it. */
import type { Config, Paths, Setting } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Lifetime } from '../startup/index.js';

/** The values that every part of the daemon is built from. */
export interface Base {
  readonly paths: Paths;
  readonly log: Log;
  readonly config: Config;
  /** Every option of `config`, with the origin of its value. */
  readonly settings: readonly Setting[];
  readonly lifetime: Lifetime;
  /** Ends the daemon after an error. */
  readonly die: (error: unknown) => never;
  /** The clock: milliseconds since the epoch. */
  readonly now: () => number;
  /** The time at which the daemon started. */
  readonly startedAt: number;
  /** True for a daemon that is started only to end programs: `orchd stop` needs it if a host runs without a daemon. */
  readonly isToStop: boolean;
}

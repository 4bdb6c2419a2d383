/** The problems of the daemon, for clients that may run longer than the daemon. */
import { COMMIT, type HealthFinding, healthOf, VERSION } from '../../protocol/index.js';

const startedAt = new Date(performance.timeOrigin).toISOString();

/** Tells a TUI that is older than its daemon to start again: restarting the daemon would not help. */
export const tuiHealth = (status: Parameters<typeof healthOf>[0]): readonly HealthFinding[] =>
  healthOf(status, { version: VERSION, commit: COMMIT, startedAt });

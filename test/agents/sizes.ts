/** Unusual terminal sizes, and a terminal whose size changes while the agent paints. */
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../harness/random.js';
import type { Hosted } from './host-agent.js';

export const ODD_SIZES = ['40x12', '60x20', '100x30', '250x80'];
/** Number of difficult texts that one size takes in about a minute. */
export const TEXTS_PER_SIZE = 6;
const STEP_MS = 180;
const FEWEST = { cols: 40, rows: 12 };
const MORE = { cols: 120, rows: 40 };

/** Changes the size repeatedly until `signal` aborts, then restores the first one. */
export function resizer(seed: number, first: { cols: number; rows: number }) {
  const random = createRandom(seed);
  return async ({ id, call }: Hosted, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const size = { cols: FEWEST.cols + random.below(MORE.cols), rows: FEWEST.rows + random.below(MORE.rows) };
      await call('session.resize', { session: id, size });
      await pause(STEP_MS, undefined, { signal }).catch(() => null);
    }
    await call('session.resize', { session: id, size: first });
  };
}

/**
 * Measures the wake-ups of idle processes: voluntary context switches of all threads of host and daemon during
 * WATCH_MS, without sessions and with SESSIONS sessions that print nothing. Every timer and poll is visible here. After
 * work, V8 collects garbage once or twice while the process is idle, so the quietest of at most TRIES periods counts.
 */
import { setTimeout } from 'node:timers/promises';
import { startDaemon } from '../harness/daemon.js';
import type { Bench } from './bench.js';
import { pidsOf, wakeUps } from './processes.js';

const SESSIONS = 20;
const WATCH_MS = 10_000;
const TRIES = 3;

export const rest: Bench = {
  name: 'rest',
  summary: `wake-ups of host and daemon in ${WATCH_MS / 1000} s without work`,
  async run() {
    const daemon = await startDaemon();
    try {
      const pids = await pidsOf(daemon);
      const watch = async (triesLeft = TRIES): Promise<number> => {
        const before = wakeUps(pids);
        await setTimeout(WATCH_MS);
        const count = wakeUps(pids) - before;
        return count === 0 || triesLeft === 1 ? count : Math.min(count, await watch(triesLeft - 1));
      };
      const empty = await watch();
      for (let n = 0; n < SESSIONS; n++) await daemon.client.call('session.start', { command: ['cat'] });
      const full = await watch();
      return [
        { what: 'empty', value: empty, unit: '', goal: 0 },
        { what: `with ${SESSIONS} silent sessions`, value: full, unit: '', goal: 0 },
      ];
    } finally {
      await daemon.close();
    }
  },
};

/**
 * Wake-ups at rest: voluntary context switches of all threads of host and daemon over WATCH_MS, without and with SESSIONS sessions
 * that print nothing. A timer or a poll anywhere shows here.
 */
import { setTimeout } from 'node:timers/promises';
import { startDaemon } from '../harness/daemon.js';
import type { Bench } from './bench.js';
import { cpuSeconds, pidsOf, wakeUps } from './processes.js';

const SESSIONS = 20;
const WATCH_MS = 10_000;
/** What V8 still does after work (a collection when it is idle, compiled code) is over by then. */
const SETTLE_MS = 15_000;

export const rest: Bench = {
  name: 'rest',
  summary: `wake-ups of host and daemon in ${WATCH_MS / 1000} s without work`,
  async run() {
    const daemon = await startDaemon();
    try {
      const pids = await pidsOf(daemon);
      const watch = async () => {
        await setTimeout(SETTLE_MS);
        const before = { count: wakeUps(pids), cpu: cpuSeconds(pids) };
        await setTimeout(WATCH_MS);
        return { count: wakeUps(pids) - before.count, cpu: cpuSeconds(pids) - before.cpu };
      };
      const empty = await watch();
      for (let n = 0; n < SESSIONS; n++) await daemon.client.call('session.start', { command: ['cat'] });
      const full = await watch();
      return [
        { what: 'empty', value: empty.count, unit: '', goal: 0, note: `${empty.cpu} s CPU` },
        { what: `with ${SESSIONS} silent sessions`, value: full.count, unit: '', goal: 0, note: `${full.cpu} s CPU` },
      ];
    } finally {
      await daemon.close();
    }
  },
};

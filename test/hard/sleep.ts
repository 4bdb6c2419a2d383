/**
 * Processes that stop and go on (SIGSTOP, SIGCONT), as when a laptop sleeps: the daemon, the host, and both, under load.
 *
 * Six sessions ask as soon as they were answered. Holds if no event is missing, if every accepted answer is typed once,
 * if no answer stays stalled, and if every session goes on.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDaemon } from '../harness/daemon.js';
import { startAskingLoad, until } from './parts/asking-load.js';
import { check } from './parts/home.js';
import type { HardTest } from './run.js';

const LOAD_ANSWERS = 30;
/** Short, so that answers stall while the host sleeps. */
const STALL_MS = '5000';

export const hard: HardTest = {
  summary: 'the daemon, the host and both stop and go on, as on a laptop that sleeps',
  options: ['--seconds N  how long they stop (default: 30)'],
  async run(args) {
    const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '30' } } });
    for (const names of [['daemon'], ['host'], ['daemon', 'host']] as const) await sleep(names, Number(values.seconds));
  },
};

async function sleep(names: readonly ('daemon' | 'host')[], seconds: number): Promise<void> {
  console.log(`${names.join(' and ')}, ${seconds} s:`);
  const daemon = await startDaemon({ env: { ORCHD_SESSIONS_STALL_MS: STALL_MS } });
  try {
    const load = await startAskingLoad(daemon);
    try {
      await until('the load begins', () => load.told() >= LOAD_ANSWERS);
      const status = await daemon.client.call('daemon.status', {});
      const pids = names.map((name) => status[name].pid);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      await setTimeout(seconds * 1000);
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      await load.check();
      check('every answer was typed once, every session goes on, and no event is missing', true);
      const after = await daemon.client.call('daemon.status', {});
      check(
        'daemon and host are the same',
        after.daemon.pid === status.daemon.pid && after.host.pid === status.host.pid,
      );
      const sessions = await daemon.client.call('session.list', {});
      check(
        'no session was lost',
        sessions.every(({ ended_at }) => ended_at === null),
      );
      await until('no answer stays stalled', async () => {
        const items = await daemon.client.call('inbox.list', { all: true });
        return items.every(({ answer }) => answer?.delivery !== 'stalled');
      });
      check('no answer stays stalled', true);
    } finally {
      await load.close();
    }
  } finally {
    await daemon.close();
  }
}

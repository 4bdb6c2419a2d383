/**
 * Processes that stop and go on (SIGSTOP, SIGCONT), as when a laptop sleeps or is short of CPU time: the daemon, the
 * host, and both, once for long and SHORT_STOPS times for up to SHORT_MS, under load.
 *
 * Six sessions ask as soon as they were answered; three print without a pause: lines, a painted screen, and output that
 * takes long to read. Holds if no event is missing, if every accepted answer is typed once, if no answer stays stalled,
 * and if every session goes on and is read to its end.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { startAskingLoad, until } from './parts/asking-load.js';
import { check } from './parts/home.js';
import type { HardTest } from './run.js';

const LOAD_ANSWERS = 30;
/** Short, so that answers stall while the host sleeps. */
const STALL_MS = '5000';
const SHORT_STOPS = 8;
const SHORT_MS = 3_000;
/** Time between two short stops. */
const BETWEEN_MS = 150;
/** Print much, and then a report. */
const FLOODS = [
  'seq 1 4000000',
  'i=0; printf "\\033[?1049h"; while [ $i -lt 30000 ]; do i=$((i+1)); ' +
    'printf "\\033[%d;1H\\033[3%dm%d painted\\033[K" $((i % 24 + 1)) $((i % 8)) $i; done; printf "\\033[?1049l"',
  'head -c 1000000 /dev/urandom | od -An -c | sed "s/ /\\xcc\\x81/g"',
];
const DONE = ':ORCHESTRATOR: TASK COMPLETE - printed';
/** Reading all of it may take this long beside other work. */
const READ_MS = 180_000;

export const hard: HardTest = {
  summary: 'the daemon, the host and both stop and go on, as on a laptop that sleeps',
  options: ['--seconds N  how long they stop (default: 30)'],
  async run(args) {
    const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '30' } } });
    for (const names of [['daemon'], ['host'], ['daemon', 'host']] as const) {
      await sleep(names, [Number(values.seconds) * 1000]);
      await sleep(
        names,
        Array.from({ length: SHORT_STOPS }, () => Math.random() * SHORT_MS),
      );
    }
  },
};

/** @param stops  Duration of each stop, in ms. */
async function sleep(names: readonly ('daemon' | 'host')[], stops: readonly number[]): Promise<void> {
  console.log(`${names.join(' and ')}, ${stops.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s:`);
  const daemon = await startDaemon({ env: { ORCHD_SESSIONS_STALL_MS: STALL_MS } });
  try {
    const load = await startAskingLoad(daemon);
    try {
      await until('the load begins', () => load.told() >= LOAD_ANSWERS);
      const status = await daemon.client.call('daemon.status', {});
      const pids = names.map((name) => status[name].pid);
      const floods: string[] = [];
      for (const print of FLOODS) floods.push((await daemon.sh(`${print}; echo; echo '${DONE}'; cat`)).id);
      for (const ms of stops) {
        await setTimeout(BETWEEN_MS);
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        await setTimeout(ms);
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
      for (const session of floods) await reported(daemon, session);
      check('every flood was read to its end', true);
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

/** Resolves when the session has reported. */
async function reported({ client }: TestDaemon, session: string): Promise<void> {
  const signal = AbortSignal.timeout(READ_MS);
  for await (const { event_type } of client.events({ follow: true, since: 0, type: ['message'], session, signal }))
    if (event_type === 'message') return;
  throw new Error(`session ${session} was not read to its end in ${READ_MS / 1000} s`);
}

/**
 * Measures a session that floods. The first figure is the maximum memory of host and daemon while `cat` prints
 * MEGABYTES, sampled every LOOK_MS. The second is the time from `keys C-c` until the program is dead, by the API and by
 * the command, CUTS times each.
 */
import { setTimeout } from 'node:timers/promises';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Bench, format, median } from './bench.js';
import { createFolder, generate } from './inputs/files.js';
import { isDead, pidsOf, pssMb } from './processes.js';

const MEGABYTES = 100;
const LOOK_MS = 50;
const CUTS = 10;
/** Time after which the flood has filled every queue on its way. It is cut then. */
const FLOODING_MS = 500;

export const flood: Bench = {
  name: 'flood',
  summary: `memory while \`cat\` prints ${MEGABYTES} MB in a detached session, and how soon ^C ends one`,
  async run({ seed }) {
    const daemon = await startDaemon();
    const folder = createFolder();
    try {
      const { path: file } = folder.write('plain', MEGABYTES, generate('plain', seed));
      const { most, seconds } = await peak(daemon, file);
      const byApi = await cut(daemon, file, (id) => daemon.client.call('session.keys', { session: id, keys: ['C-c'] }));
      const byCommand = await cut(daemon, file, (id) => daemon.orchd('keys', id, 'C-c'));
      const worst = (times: readonly number[]) => ({ value: Math.max(...times), unit: 'ms' }) as const;
      const note = (times: readonly number[]) => ({
        note: `the longest of ${CUTS}; median ${format(median(times))} ms`,
      });
      return [
        { what: 'most memory, PSS', value: most, unit: 'MB', goal: 250, note: `${seconds.toFixed(1)} s` },
        { what: '^C by the API until it is dead', ...worst(byApi), goal: 200, ...note(byApi) },
        { what: '^C by `orchd keys`, which Node has to start', ...worst(byCommand), ...note(byCommand) },
      ];
    } finally {
      await daemon.close();
      folder.remove();
    }
  },
};

async function peak(daemon: TestDaemon, file: string): Promise<{ most: number; seconds: number }> {
  const pids = await pidsOf(daemon);
  const start = performance.now();
  const session = await daemon.client.call('session.start', { command: ['cat', file] });
  const end = daemon.client.call('session.wait', { session: session.id, until: 'exited' }).then(() => true);
  let most = 0;
  do most = Math.max(most, pssMb(pids));
  while (!(await Promise.race([end, setTimeout(LOOK_MS, false)])));
  return { most, seconds: (performance.now() - start) / 1000 };
}

async function cut(daemon: TestDaemon, file: string, press: (id: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < CUTS) {
    const { id, pid } = await daemon.sh(`while :; do cat ${file}; done`);
    await setTimeout(FLOODING_MS);
    const start = performance.now();
    const pressed = press(id);
    while (!isDead(pid)) await setTimeout(1);
    times.push(performance.now() - start);
    await pressed;
    await daemon.client.call('session.wait', { session: id, until: 'exited' });
  }
  return times;
}

/** Memory of host and daemon together: empty, and with SESSIONS sessions that have each printed a screenful and wait. */
import { setTimeout } from 'node:timers/promises';
import { startDaemon } from '../harness/daemon.js';
import type { Bench } from './bench.js';
import { pidsOf, privateMb, pssMb } from './processes.js';

const SESSIONS = 50;
/** For what the start left behind to be collected, and what sessions print to be heard. */
const SETTLE_MS = 3_000;
const SCREENFUL = 'i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo "$i: a line of a program that waits"; done; exec cat';

export const memory: Bench = {
  name: 'memory',
  summary: 'PSS of host and daemon together',
  async run() {
    const daemon = await startDaemon();
    try {
      const pids = await pidsOf(daemon);
      await setTimeout(SETTLE_MS);
      const empty = pssMb(pids);
      const note = `${privateMb(pids).toFixed(0)} MB of it private; the rest, Node's own file, is shared with this bench`;
      for (let n = 0; n < SESSIONS; n++) {
        await daemon.client.call('session.start', {
          command: ['sh', '-c', SCREENFUL],
          env: { PATH: process.env['PATH'] ?? '' },
        });
      }
      await setTimeout(SETTLE_MS);
      const full = pssMb(pids);
      return [
        { what: 'empty', value: empty, unit: 'MB', goal: 100, note },
        { what: `with ${SESSIONS} sessions`, value: full, unit: 'MB' },
        { what: 'each session', value: (full - empty) / SESSIONS, unit: 'MB' },
      ];
    } finally {
      await daemon.close();
    }
  },
};

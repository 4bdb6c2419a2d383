/**
 * Memory of host and daemon together: empty, and with SESSIONS sessions that have each printed LINES lines, wait, and are looked at by
 * nobody; beside it tmux with the same sessions.
 */
import { setTimeout } from 'node:timers/promises';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import type { Bench, Figure } from './bench.js';
import { createFolder } from './inputs.js';
import { pidsOf, privateMb, pssMb, wakeUps } from './processes.js';
import { startTmux, type Tmux } from './tmux.js';

const SESSIONS = 200;
const LINES = 2000;
/** For what the start left behind to be collected, and what sessions print to be heard. */
const SETTLE_MS = 3_000;
/** At rest what it will not need is given up, and V8 collects once more. */
const REST_MS = 15_000;
const WATCH_MS = 10_000;
const TRIES = 3;
const EACH_GOAL_MB = 0.5;
const PROGRAM = `i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo "$i: a line of a program that prints about a hundred columns, so that this is a real history"; done; exec cat`;

export const memory: Bench = {
  name: 'memory',
  summary: `PSS of host and daemon together, with ${SESSIONS} sessions of ${LINES} lines that nobody looks at`,
  async run() {
    const daemon = await startDaemon();
    const folder = createFolder();
    const tmux = await startTmux(folder.path);
    try {
      return [...(await ofOrchd(daemon)), ...(tmux ? await ofTmux(tmux) : [])];
    } finally {
      await tmux?.close();
      await daemon.close();
      folder.remove();
    }
  },
};

async function ofOrchd(daemon: TestDaemon): Promise<Figure[]> {
  const pids = await pidsOf(daemon);
  await setTimeout(SETTLE_MS);
  const empty = pssMb(pids);
  const note = `${privateMb(pids).toFixed(0)} MB of it private; the rest, Node's own file, is shared with this bench`;
  for (let n = 0; n < SESSIONS; n++) {
    const env = { PATH: process.env['PATH'] ?? '' };
    await daemon.client.call('session.start', { command: ['sh', '-c', PROGRAM], env });
  }
  await setTimeout(REST_MS);
  const full = pssMb(pids);
  const woken = await quietest(pids);
  return [
    { what: 'empty', value: empty, unit: 'MB', goal: 100, note },
    { what: `with ${SESSIONS} sessions`, value: full, unit: 'MB' },
    { what: 'each session', value: (full - empty) / SESSIONS, unit: 'MB', goal: EACH_GOAL_MB },
    { what: `wake-ups in ${WATCH_MS / 1000} s then`, value: woken, unit: '', goal: 0 },
  ];
}

/** After work V8 collects once or twice when nothing happens: of several stretches the quietest counts. */
async function quietest(pids: readonly number[], triesLeft = TRIES): Promise<number> {
  const before = wakeUps(pids);
  await setTimeout(WATCH_MS);
  const count = wakeUps(pids) - before;
  return count === 0 || triesLeft === 1 ? count : Math.min(count, await quietest(pids, triesLeft - 1));
}

async function ofTmux(tmux: Tmux): Promise<Figure[]> {
  const empty = pssMb([tmux.pid]);
  for (let n = 0; n < SESSIONS; n++) await tmux.run(`s${n}`, PROGRAM);
  await setTimeout(SETTLE_MS);
  const full = pssMb([tmux.pid]);
  return [
    { what: `tmux with ${SESSIONS} sessions`, value: full, unit: 'MB' },
    { what: 'each of its sessions', value: (full - empty) / SESSIONS, unit: 'MB' },
  ];
}

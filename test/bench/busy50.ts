/** CPU time of host and daemon while SESSIONS detached sessions print LINES_PER_SECOND lines each, beside tmux, in turn; medians of ROUNDS. */
import { setTimeout } from 'node:timers/promises';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';
import { createFolder } from './inputs.js';
import { cpuSeconds, pidsOf } from './processes.js';
import { startTmux, type Tmux } from './tmux.js';

const SESSIONS = 50;
const LINES_PER_SECOND = 100;
const ROUNDS = 3;
const WATCH_MS = 5_000;
/** For all of them to have begun. */
const SETTLE_MS = 3_000;
const GOAL = 1;
/** A program that costs little itself, and prints a line at a time. */
const PROGRAM = `perl -e '$|=1; for (my $n=0;;$n++) { print "$n: a line of a program that is busy with something or other, as agents are\\n"; select(undef,undef,undef,${1 / LINES_PER_SECOND}) }'`;

export const busy50: Bench = {
  name: 'busy50',
  summary: `CPU of ${SESSIONS} sessions that print ${LINES_PER_SECOND} lines a second each`,
  async run() {
    const folder = createFolder();
    const shares: { own: number[]; theirs: number[] } = { own: [], theirs: [] };
    try {
      for (let round = 0; round < ROUNDS; round++) {
        shares.own.push(await inOrchd());
        const theirs = await inTmux(folder.path);
        if (theirs !== null) shares.theirs.push(theirs);
      }
    } finally {
      folder.remove();
    }
    const [own, theirs] = [median(shares.own), median(shares.theirs)];
    const rows: Figure[] = [{ what: 'CPU for a second', value: own * 1000, unit: 'ms' }];
    if (shares.theirs.length === 0) return rows;
    return [
      ...rows,
      { what: "of tmux's", value: own / theirs, unit: 'x', goal: GOAL, note: `tmux ${(theirs * 1000).toFixed(0)} ms` },
    ];
  },
};

async function inOrchd(): Promise<number> {
  const daemon: TestDaemon = await startDaemon();
  try {
    const env = { PATH: process.env['PATH'] ?? '' };
    for (let n = 0; n < SESSIONS; n++)
      await daemon.client.call('session.start', { command: ['sh', '-c', `exec ${PROGRAM}`], env });
    return await watch(await pidsOf(daemon));
  } finally {
    await daemon.close();
  }
}

async function inTmux(folder: string): Promise<number | null> {
  const tmux: Tmux | null = await startTmux(folder);
  if (!tmux) return null;
  try {
    for (let n = 0; n < SESSIONS; n++) await tmux.run(`b${n}`, `exec ${PROGRAM}`);
    return await watch([tmux.pid]);
  } finally {
    await tmux.close();
  }
}

/** @returns Seconds of CPU time a second. */
async function watch(pids: readonly number[]): Promise<number> {
  await setTimeout(SETTLE_MS);
  const [cpu, start] = [cpuSeconds(pids), performance.now()];
  await setTimeout(WATCH_MS);
  return ((cpuSeconds(pids) - cpu) * 1000) / (performance.now() - start);
}

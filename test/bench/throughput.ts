/**
 * `cat` of MEGABYTES in a detached session until its end is on the screen, and everything is heard: CPU time of the server's processes
 * and wall time, beside tmux, in turn, ROUNDS times; medians. tmux draws only; orchd also keeps the journal and listens.
 */
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';
import { createFolder, type Kind } from './inputs.js';
import { cpuSeconds, pidsOf } from './processes.js';
import { startTmux, type Tmux } from './tmux.js';

const MEGABYTES = 50;
const ROUNDS = 3;
/** The most CPU time, as a share of tmux's. */
const GOALS: Readonly<Record<Kind, number>> = { plain: 0.75, sgr: 0.4, wide: 0.25, tui: 0.65 };
const WALL_GOAL = 0.8;
const KINDS = Object.keys(GOALS) as Kind[]; // the keys of the table above
const END = 'this is the end of it';

interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

export const throughput: Bench = {
  name: 'throughput',
  summary: `\`cat\` of ${MEGABYTES} MB in a detached session, beside tmux`,
  async run() {
    const folder = createFolder();
    const daemon = await startDaemon();
    const tmux = await startTmux(folder.path);
    const pids = await pidsOf(daemon);
    const figures: Figure[] = [];
    try {
      for (const kind of KINDS) {
        const file = folder.write(kind, MEGABYTES);
        const own: Cost[] = [];
        const theirs: Cost[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          own.push(await cost(pids, () => inOrchd(daemon, file)));
          if (tmux) theirs.push(await cost([tmux.pid], () => inTmux(tmux, file, `${kind}${round}`)));
        }
        figures.push(...compare(kind, own, theirs));
      }
      return figures;
    } finally {
      await tmux?.close();
      await daemon.close();
      folder.remove();
    }
  },
};

async function cost(pids: readonly number[], run: () => Promise<void>): Promise<Cost> {
  const cpu = cpuSeconds(pids);
  const start = performance.now();
  await run();
  return { cpu: cpuSeconds(pids) - cpu, wall: (performance.now() - start) / 1000 };
}

/** The event of its exit is announced when all that was printed has been heard. */
async function inOrchd({ client }: TestDaemon, file: string): Promise<void> {
  const command = ['sh', '-c', `cat ${file}; echo; echo ${END}`];
  const { id } = await client.call('session.start', { command, env: { PATH: process.env['PATH'] ?? '' } });
  await client.call('session.wait', { session: id, until: 'exited' }, { timeoutMs: 120_000 });
  expectEnd((await client.call('session.capture', { session: id })).text);
}

async function inTmux(tmux: Tmux, file: string, name: string): Promise<void> {
  const done = tmux.wait(name);
  await tmux.run(name, `cat ${file}; echo; echo ${END}; ${tmux.signal(name)}; exec cat`);
  await done;
  expectEnd(await tmux.capture(name));
}

function expectEnd(screen: string): void {
  if (!screen.includes(END)) throw new Error(`the end is not on the screen:\n${screen}`);
}

function compare(kind: Kind, own: readonly Cost[], theirs: readonly Cost[]): Figure[] {
  const cpu = median(own.map((cost) => cost.cpu));
  const wall = median(own.map((cost) => cost.wall));
  const rows: Figure[] = [
    { what: `${kind}, CPU`, value: cpu, unit: 's' },
    { what: `${kind}, wall`, value: wall, unit: 's', note: `${(MEGABYTES / wall).toFixed(0)} MB/s` },
  ];
  if (theirs.length === 0) return rows;
  const tmuxCpu = median(theirs.map((cost) => cost.cpu));
  const tmuxWall = median(theirs.map((cost) => cost.wall));
  return [
    ...rows,
    {
      what: `${kind}, CPU of tmux's`,
      value: cpu / tmuxCpu,
      unit: 'x',
      goal: GOALS[kind],
      note: `tmux ${tmuxCpu.toFixed(2)} s`,
    },
    {
      what: `${kind}, wall of tmux's`,
      value: wall / tmuxWall,
      unit: 'x',
      goal: WALL_GOAL,
      note: `tmux ${tmuxWall.toFixed(2)} s`,
    },
  ];
}

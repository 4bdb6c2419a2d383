/**
 * The grid: SCREENS recorded agents that paint at their own pace, all on one terminal of 200x60. It measures the CPU
 * time of `orchd grid`, and of all of orchd; beside it tmux with as many panes, its server and its client.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type IPty, spawn } from 'node-pty';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type BenchOptions, beside, median } from './bench.js';
import { makeBusy } from './busy.js';
import { createFolder } from './inputs/files.js';
import { cpuSeconds, pidsOf } from './processes.js';
import { startTmux } from './tmux.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const SCREENS = 9;
const SIZE = { cols: 200, rows: 60 };
const ROUNDS = 2;
const WATCH_MS = 12_000;
/** Time until all agents have begun, and code that runs often has been compiled. */
const SETTLE_MS = 5_000;

interface Cost {
  /** CPU time in per cent of a core: of the program that shows the screens, and of all processes. */
  readonly shown: number;
  readonly all: number;
  /** Bytes that it wrote to the terminal in a second. */
  readonly bytes: number;
}

export const grid: Bench = {
  name: 'grid',
  summary: `${SCREENS} recorded agents in one grid; CPU beside tmux with as many panes`,
  async run(options) {
    const own: Cost[] = [];
    const theirs: Cost[] = [];
    for (let round = 0; round < (options.quick ? 1 : ROUNDS); round++) {
      own.push(await ofOrchd(options, round));
      const tmux = await ofTmux(options, round);
      if (tmux) theirs.push(tmux);
      options.progress(`round ${round + 1}: grid ${own.at(-1)?.shown} %, tmux ${tmux?.all ?? '-'} %`);
    }
    const bytes = (costs: readonly Cost[]): string => `${Math.round(median(costs.map((cost) => cost.bytes)))} bytes/s`;
    return [
      {
        what: '`orchd grid`, CPU of a core',
        value: median(own.map(({ shown }) => shown)),
        unit: '%',
        goal: 10,
        note: bytes(own),
      },
      ...beside('with host and daemon, CPU of a core', '%', {
        own: own.map(({ all }) => all),
        theirs: theirs.map(({ all }) => all),
        ...(theirs.length > 0 && { note: `tmux ${bytes(theirs)}` }),
      }),
    ];
  },
};

async function ofOrchd(options: BenchOptions, round: number): Promise<Cost> {
  const folder = createFolder();
  const daemon = await startDaemon();
  try {
    const names: string[] = [];
    const busy = await makeBusy(
      folder.path,
      { sessions: SCREENS, seed: options.seed + round },
      (name, command, size) => {
        names.push(name);
        const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
        return daemon.client.call('session.start', { name, command, size: { ...size }, env });
      },
    );
    const pty = open(process.execPath, [BIN, 'grid', ...names], daemon.env);
    const cost = await watch(pty, await pidsOf(daemon), options);
    await busy.quiet();
    return cost;
  } finally {
    await daemon.close();
    folder.remove();
  }
}

async function ofTmux(options: BenchOptions, round: number): Promise<Cost | null> {
  const folder = createFolder();
  const tmux = await startTmux(folder.path);
  if (!tmux) {
    folder.remove();
    return null;
  }
  const call = (...args: string[]) => promisify(execFile)('tmux', [...tmux.args, ...args]);
  try {
    const load = { sessions: SCREENS, seed: options.seed + round };
    const quoted = (words: readonly string[]): string =>
      words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const busy = await makeBusy(folder.path, load, (name, command) => tmux.run(name, quoted(command), SIZE));
    for (let pane = 1; pane < SCREENS; pane++) {
      await call('join-pane', '-s', `busy-${pane}:`, '-t', 'busy-0:');
      await call('select-layout', '-t', 'busy-0:', 'tiled');
    }
    const pty = open('tmux', [...tmux.args, 'attach', '-t', 'busy-0'], process.env);
    const cost = await watch(pty, [tmux.pid], options);
    await busy.quiet();
    return cost;
  } finally {
    await tmux.close();
    folder.remove();
  }
}

function open(file: string, args: string[], env: NodeJS.ProcessEnv): IPty {
  const { TMUX: _tmux, ...rest } = env;
  return spawn(file, args, { ...SIZE, env: { ...rest, TERM: 'xterm-256color' } });
}

async function watch(pty: IPty, others: readonly number[], { quick }: BenchOptions): Promise<Cost> {
  let written = 0;
  pty.onData((data) => {
    written += Buffer.byteLength(data);
  });
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  await setTimeout(SETTLE_MS);
  const [shown, all, bytes, since] = [
    cpuSeconds([pty.pid]),
    cpuSeconds([pty.pid, ...others]),
    written,
    performance.now(),
  ] as [number, number, number, number];
  await setTimeout(quick ? WATCH_MS / 3 : WATCH_MS);
  const seconds = (performance.now() - since) / 1000;
  const cost = {
    shown: ((cpuSeconds([pty.pid]) - shown) * 100) / seconds,
    all: ((cpuSeconds([pty.pid, ...others]) - all) * 100) / seconds,
    bytes: (written - bytes) / seconds,
  };
  pty.kill();
  await ended;
  return cost;
}

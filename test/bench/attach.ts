/**
 * Measures the delays of a person's terminal while FLOODS sessions print as fast as they can, beside tmux in the same
 * run:
 *
 *     key → echo    from a key typed at `orchd attach` and `tmux attach`, each in a bare pty, to its echo there
 *     key → frame   from j or k typed in the TUI's list of sessions to the frame in which the other row is selected
 *     first frame   from the start of the TUI to its first frame, and to the first one that lists the sessions
 *     output        bytes that the floods write in a second meanwhile
 *
 * orchd and tmux are started anew for each round, in turn. The figures are medians of the rounds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { spawn } from 'node-pty';
import { type Bench, type BenchOptions, beside, type Figure, median, percentile } from './bench.js';
import { echoTimes } from './echo-times.js';
import { createFolder } from './inputs/files.js';
import { ORCHD_AND_TMUX, type System } from './systems.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const FLOODS = 5;
const ROUNDS = 3;
const KEYS = 200;
const FRAMES = 5;
const EVERY_MS = 30;
/** Keys in the TUI, and the pause between two of them: a person moves through a list and looks. */
const TUI_KEYS = 80;
const TUI_EVERY_MS = 150;
const SETTLE_MS = 3_000;
const PATIENCE_MS = 10_000;
const SGR = /\x1b\[[0-9;]*m/g;
const ECHO = { how: 'attach', everyMs: EVERY_MS, settleMs: SETTLE_MS / 2, patienceMs: PATIENCE_MS } as const;
/** Maximum of the p90 of an echo, and of a frame after a key, beside floods: of tmux's, and in ms. */
const GOAL = 2;
const GOAL_MS = 50;
const FRAME_GOALS_MS = { quiet: 350, floods: 800 } as const;

const STATES = ['quiet', 'floods'] as const;
const WHERE = { quiet: 'quiet', floods: `beside ${FLOODS} floods` } as const;

interface FrameTimes {
  readonly first: number;
  /** The first frame that lists the sessions. */
  readonly listed: number;
}

interface Measured {
  readonly quiet: readonly number[];
  readonly floods: readonly number[];
  readonly bytesPerSecond: number;
  /** Times from a key to a frame of the TUI; empty for tmux. */
  readonly keys: Readonly<Record<'quiet' | 'floods', readonly number[]>>;
  /** Times of the TUI's first frames; empty for tmux. */
  readonly frames: Readonly<Record<'quiet' | 'floods', readonly FrameTimes[]>>;
}

export const attach: Bench = {
  name: 'attach',
  summary: `keys at an attached terminal and in the TUI, and its first frame, beside ${FLOODS} floods and beside tmux`,
  async run(options) {
    const found: Record<'orchd' | 'tmux', Measured[]> = { orchd: [], tmux: [] };
    for (let round = 0; round < (options.quick ? 1 : ROUNDS); round++) {
      for (const name of ['orchd', 'tmux'] as const) {
        const measured = await measure(name, options);
        if (!measured) continue;
        found[name].push(measured);
        const ms = ([0.5, 0.9, 0.99] as const).map((share) => percentile(measured.floods, share).toFixed(1));
        options.progress(`round ${round + 1}: ${name} beside floods ${ms.join(' ')} ms`);
      }
    }
    return figuresOf(found);
  },
};

async function measure(name: 'orchd' | 'tmux', { quick }: BenchOptions): Promise<Measured | null> {
  const folder = createFolder();
  const system = await ORCHD_AND_TMUX[name](folder.path);
  try {
    if (!system) return null;
    const keys = quick ? 40 : KEYS;
    const tuiKeys = quick ? 20 : TUI_KEYS;
    const quiet = await echoTimes(system, { ...ECHO, name: 'keys-quiet', count: keys });
    for (let n = 0; n < FLOODS; n++) await system.start(`idle-${n}`, ['cat']);
    const quietFrames = await frameTimes(system, quick ? 1 : FRAMES);
    const quietKeys = await keyTimes(system, tuiKeys);
    const line = `flood ${process.pid} ${'0123456789'.repeat(6)}`;
    for (let n = 0; n < FLOODS; n++) await system.start(`flood-${n}`, ['sh', '-c', `while :; do echo '${line}'; done`]);
    await setTimeout(SETTLE_MS);
    const [before, since] = [writtenBy(line), performance.now()];
    const floods = await echoTimes(system, { ...ECHO, name: 'keys-floods', count: keys });
    const bytesPerSecond = ((writtenBy(line) - before) * 1000) / (performance.now() - since);
    return {
      quiet,
      floods,
      bytesPerSecond,
      keys: { quiet: quietKeys, floods: await keyTimes(system, tuiKeys) },
      frames: { quiet: quietFrames, floods: await frameTimes(system, quick ? 1 : FRAMES) },
    };
  } finally {
    await system?.close();
    folder.remove();
  }
}

/** Starts the TUI in a bare pty. */
const openTui = (env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [BIN, 'start'], { cols: 120, rows: 40, env: { ...env, TERM: 'xterm-256color' } });

/** Moves up and down in the TUI's list of sessions. */
async function keyTimes({ daemon }: System, count: number): Promise<number[]> {
  if (!daemon) return [];
  const times: number[] = [];
  const pty = openTui(daemon.env);
  const ended = new Promise((resolve) => pty.onExit(resolve));
  let selected = '';
  let onSelected = (): void => {};
  pty.onData((text) => {
    // A row begins with its mark and its state, such as `› ● running  flood-0`.
    const name = /› *\S+ +\S+ +(\S+)/.exec(text.replaceAll(SGR, ''))?.[1] ?? selected;
    if (name === selected) return;
    selected = name;
    onSelected();
  });
  await setTimeout(SETTLE_MS);
  pty.write('\t');
  while (times.length < count) {
    await setTimeout(TUI_EVERY_MS * (0.5 + Math.random()));
    const start = performance.now();
    const isMoved = new Promise<void>((resolve) => {
      onSelected = resolve;
    });
    pty.write(times.length % 2 === 0 ? 'j' : 'k');
    await Promise.race([isMoved, setTimeout(PATIENCE_MS)]);
    times.push(performance.now() - start);
    onSelected = () => {};
  }
  pty.kill();
  await ended;
  return times;
}

/** Starts the TUI some times. */
async function frameTimes({ daemon }: System, count: number): Promise<FrameTimes[]> {
  const times: FrameTimes[] = [];
  while (daemon && times.length < count) {
    const start = performance.now();
    const pty = openTui(daemon.env);
    const ended = new Promise((resolve) => pty.onExit(resolve));
    let shown = '';
    let first = Number.NaN;
    const seen = new Promise<void>((resolve) => {
      pty.onData((text) => {
        shown += text;
        if (Number.isNaN(first) && /Sessions[\s\S]*\x1b\[\?2026l/.test(shown)) first = performance.now() - start;
        if (/keys-quiet[\s\S]*\x1b\[\?2026l/.test(shown)) resolve();
      });
    });
    await Promise.race([seen, setTimeout(PATIENCE_MS)]);
    times.push({ first, listed: performance.now() - start });
    pty.kill();
    await ended;
  }
  return times;
}

/** Bytes that the processes with this text in their command have written. */
function writtenBy(text: string): number {
  let bytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text)) continue;
      bytes += Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1] ?? 0);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return bytes;
}

function figuresOf(found: Readonly<Record<'orchd' | 'tmux', readonly Measured[]>>): Figure[] {
  const of = (name: 'orchd' | 'tmux', value: (measured: Measured) => number) => found[name].map(value);
  const echo = STATES.flatMap((state) =>
    [0.5, 0.9, 0.99].flatMap((share) => {
      const isGoal = state === 'floods' && share === 0.9;
      const [value, ...ratio] = beside(`key → echo, ${WHERE[state]}, p${share * 100}`, 'ms', {
        own: of('orchd', (measured) => percentile(measured[state], share)),
        theirs: of('tmux', (measured) => percentile(measured[state], share)),
        ...(isGoal && { goal: GOAL }),
      });
      return value ? [{ ...value, ...(isGoal && { goal: GOAL_MS }) }, ...ratio] : [];
    }),
  );
  const frames = STATES.flatMap((state): Figure[] => {
    const p50 = (of: keyof FrameTimes) =>
      median(found.orchd.map((measured) => median(measured.frames[state].map((times) => times[of]))));
    return [
      {
        what: `first frame of the TUI, ${WHERE[state]}, p50`,
        value: p50('first'),
        unit: 'ms',
        goal: FRAME_GOALS_MS[state],
      },
      { what: `  with its sessions, ${WHERE[state]}, p50`, value: p50('listed'), unit: 'ms' },
    ];
  });
  const keys = STATES.flatMap((state) =>
    [0.5, 0.9].map((share): Figure => {
      const isGoal = state === 'floods' && share === 0.9;
      const value = median(found.orchd.map((measured) => percentile(measured.keys[state], share)));
      const what = `key → frame of the TUI's list, ${WHERE[state]}, p${share * 100}`;
      return { what, value, unit: 'ms', ...(isGoal && { goal: GOAL_MS }) };
    }),
  );
  const output = beside(`output of ${FLOODS} floods`, 'MB/s', {
    own: of('orchd', ({ bytesPerSecond }) => bytesPerSecond / 1e6),
    theirs: of('tmux', ({ bytesPerSecond }) => bytesPerSecond / 1e6),
  });
  return [...echo, ...keys, ...frames, ...output];
}

/**
 * Agents at their own pace: N sessions, in each the recordings of a real agent (inputs/agents.ts), and a last case
 * with programs that print lines. It measures host and daemon together, and tmux's server, in turn. Each is started
 * anew:
 *
 *     CPU       while they paint, until all that was written has been worked through, in per cent of a core
 *     memory    PSS at the end of that: the slope between two numbers of sessions, and what was added once above the
 *               empty system
 *
 * tmux draws only; orchd also keeps a journal, and listens.
 */
import { setTimeout } from 'node:timers/promises';
import { type Bench, type BenchOptions, beside, type Figure, format, median } from './bench.js';
import { type Load, makeBusy } from './busy.js';
import { createFolder } from './inputs/files.js';
import { cpuSeconds, pssMb } from './processes.js';
import { ORCHD_AND_TMUX, type StartSystem } from './systems.js';

const COUNTS = [10, 50, 200];
/** Maximum CPU time, as a share of tmux's. */
const GOALS: Readonly<Record<number, number>> = { 10: 3, 50: 1.2 };
const PRINTERS = { sessions: 50, linesPerSecond: 100 };
const PRINTERS_GOAL = 1;
const EACH_GOAL_MB = 1;
const ONCE_GOAL_MB = 60;
const ROUNDS = 2;
const WATCH_MS = 12_000;
/** Time until all agents have begun, and code that runs often has been compiled. */
const SETTLE_MS = 5_000;
/** A system counts as idle when it uses less than this share of a core for CALM_MS. */
const CALM_SHARE = 0.2;
const CALM_MS = 250;
const MAX_CALM_MS = 30_000;

interface Cost {
  readonly percent: number;
  readonly emptyMb: number;
  readonly fullMb: number;
  readonly note: string;
}
type Costs = Record<'orchd' | 'tmux', Cost[]>;

export const agents: Bench = {
  name: 'agents',
  summary: `recorded agents at their own pace, ${COUNTS.join(', ')} of them; CPU and memory beside tmux`,
  async run(options) {
    const counts = options.quick ? COUNTS.slice(0, 2) : COUNTS;
    const loads: { title: string; sessions: number; linesPerSecond?: number; goal?: number }[] = counts.map(
      (sessions) => ({
        title: `${sessions} agents`,
        sessions,
        ...(GOALS[sessions] !== undefined && { goal: GOALS[sessions] }),
      }),
    );
    const { sessions, linesPerSecond } = PRINTERS;
    loads.push({ title: `${sessions} programs, ${linesPerSecond} lines/s each`, ...PRINTERS, goal: PRINTERS_GOAL });
    const found = loads.map((): Costs => ({ orchd: [], tmux: [] }));
    for (let round = 0; round < (options.quick ? 1 : ROUNDS); round++)
      for (const [n, load] of loads.entries())
        for (const name of ['orchd', 'tmux'] as const) {
          const cost = await measure(ORCHD_AND_TMUX[name], { ...load, seed: options.seed + round }, options);
          if (!cost) continue;
          found[n]?.[name].push(cost);
          options.progress(
            `round ${round + 1}: ${load.title}, ${name}: ${format(cost.percent)} %, ${format(cost.fullMb)} MB`,
          );
        }
    const cpu = loads.flatMap(({ title, goal }, n) => {
      const costs = found[n] as Costs; // There is one for each load.
      const percent = (name: 'orchd' | 'tmux'): number[] => costs[name].map((cost) => cost.percent);
      const note = costs.orchd[0]?.note ?? '';
      const figures = { own: percent('orchd'), theirs: percent('tmux'), note, ...(goal !== undefined && { goal }) };
      return beside(`${title}, CPU of a core`, '%', figures);
    });
    return [...cpu, ...memoryOf(counts, found)];
  },
};

async function measure(start: StartSystem, load: Load, { quick }: BenchOptions): Promise<Cost | null> {
  const folder = createFolder();
  const system = await start(folder.path);
  if (!system) {
    folder.remove();
    return null;
  }
  const { pids } = system;
  try {
    await calm(pids);
    const emptyMb = pssMb(pids);
    const busy = await makeBusy(folder.path, load, (...session) => system.start(...session));
    await setTimeout(SETTLE_MS);
    busy.count();
    const [cpu, startMs] = [cpuSeconds(pids), performance.now()];
    await setTimeout(quick ? WATCH_MS / 3 : WATCH_MS);
    const fullMb = pssMb(pids);
    const { bytes, writes, lateMs } = await busy.quiet();
    const seconds = (performance.now() - startMs) / 1000;
    await calm(pids);
    const late = lateMs > 500 ? `, up to ${format(lateMs / 1000)} s late` : '';
    const note = `${format(writes / seconds)} writes/s, ${format(bytes / 1000 / seconds)} KB/s${late}`;
    return { percent: ((cpuSeconds(pids) - cpu) * 100) / seconds, emptyMb, fullMb, note };
  } finally {
    await system.close();
    folder.remove();
  }
}

/** Waits until the processes have processed all output. */
async function calm(pids: readonly number[]): Promise<void> {
  for (const endMs = performance.now() + MAX_CALM_MS; performance.now() < endMs; ) {
    const before = cpuSeconds(pids);
    await setTimeout(CALM_MS);
    if (cpuSeconds(pids) - before < (CALM_SHARE * CALM_MS) / 1000) return;
  }
}

function memoryOf(counts: readonly number[], found: readonly Costs[]): Figure[] {
  const each = (name: 'orchd' | 'tmux', from: number, to: number): number[] =>
    (found[to]?.[name] ?? []).map(
      (more, round) =>
        (more.fullMb - (found[from]?.[name][round]?.fullMb ?? Number.NaN)) / ((counts[to] ?? 0) - (counts[from] ?? 0)),
    );
  const hasTmux = (found[0]?.tmux.length ?? 0) > 0;
  const slopes = counts.slice(1).map((count, from): Figure => {
    const [own, theirs] = [median(each('orchd', from, from + 1)), median(each('tmux', from, from + 1))];
    return {
      what: `memory of each further session, from ${counts[from]} to ${count}`,
      value: own,
      unit: 'MB',
      ...(from === 0 && { goal: EACH_GOAL_MB }),
      ...(hasTmux && { note: `tmux ${format(theirs)} MB` }),
    };
  });
  const once = (name: 'orchd' | 'tmux'): number[] =>
    each(name, 0, 1).map((slope, round) => {
      const few = found[0]?.[name][round];
      return few ? few.fullMb - (counts[0] ?? 0) * slope - few.emptyMb : Number.NaN;
    });
  const empty = median((found[0]?.orchd ?? []).map(({ emptyMb }) => emptyMb));
  return [
    ...slopes,
    {
      what: 'memory added once, above the empty system',
      value: median(once('orchd')),
      unit: 'MB',
      goal: ONCE_GOAL_MB,
      note: `empty ${format(empty)} MB`,
    },
  ];
}

/**
 * Memory of host and daemon together, PSS; beside it tmux with the same sessions.
 *
 *     silent     SESSIONS sessions that have each printed LINES lines, which do not repeat, and wait; no client looks
 *                at them. Then the wake-ups of orchd's processes
 *     painting   AGENTS sessions in which recorded agents have painted for PAINT_MS; and again REST_MS after the last
 *                of it
 */
import { setTimeout } from 'node:timers/promises';
import { type Bench, beside, type Figure, median } from './bench.js';
import { makeBusy } from './busy.js';
import { createFolder, type Folder } from './inputs/files.js';
import { plainLine } from './inputs/texts.js';
import { createVocabulary } from './inputs/vocabulary.js';
import { privateMb, pssMb, wakeUps } from './processes.js';
import { ORCHD_AND_TMUX, type System } from './systems.js';

const SESSIONS = 200;
const LINES = 2000;
const AGENTS = 50;
const PAINT_MS = 20_000;
/** Time until the garbage of the start was collected. */
const SETTLE_MS = 3_000;
/** Time after which an idle process has released what it does not need, and V8 has collected once more. */
const REST_MS = 15_000;
const WATCH_MS = 10_000;
const TRIES = 3;
const EMPTY_GOAL_MB = 100;
const SILENT_GOAL_MB = 0.5;
/** Limit: one megabyte for each agent, and 60 for all of them together. */
const AGENT_GOAL_MB = 1 + 60 / AGENTS;

interface Memory {
  readonly emptyMb: number;
  readonly privateMb: number;
  readonly silentMb: number;
  readonly paintingMb: number;
  readonly afterwardsMb: number;
  readonly woken: number;
}

export const memory: Bench = {
  name: 'memory',
  summary:
    `host and daemon, with ${SESSIONS} silent sessions of ${LINES} lines, and with ${AGENTS} agents that ` +
    'paint, beside tmux',
  async run({ seed, quick, progress }) {
    const found: { orchd: Memory[]; tmux: Memory[] } = { orchd: [], tmux: [] };
    for (const name of ['orchd', 'tmux'] as const) {
      progress(`${name}: silent sessions`);
      const silent = await inFresh(name, (system, folder) => silentMemory(system, folder, seed, quick));
      progress(`${name}: agents that paint`);
      const painting = await inFresh(name, (system, folder) => paintingMemory(system, folder, seed, quick));
      if (silent && painting) found[name].push({ ...silent, ...painting });
    }
    return figuresOf(found, quick);
  },
};

async function inFresh<T>(
  name: 'orchd' | 'tmux',
  work: (system: System, folder: Folder) => Promise<T>,
): Promise<T | null> {
  const folder = createFolder();
  const system = await ORCHD_AND_TMUX[name](folder.path);
  try {
    return system && (await work(system, folder));
  } finally {
    await system?.close();
    folder.remove();
  }
}

async function silentMemory(system: System, folder: Folder, seed: number, quick: boolean) {
  const { pids } = system;
  await setTimeout(SETTLE_MS);
  const [emptyMb, ownMb] = [pssMb(pids), privateMb(pids)];
  for (let n = 0; n < sessionsOf(quick); n++) {
    const v = createVocabulary(seed + n);
    const lines = Array.from({ length: LINES }, () => plainLine(v));
    const { path } = folder.write(`lines-${n}`, lines.join('').length / 1e6, lines);
    await system.start(`silent-${n}`, ['sh', '-c', `cat ${path}; exec cat`]);
  }
  await setTimeout(REST_MS);
  const silentMb = pssMb(pids);
  return { emptyMb, privateMb: ownMb, silentMb, woken: system.daemon && !quick ? await quietest(pids) : Number.NaN };
}

async function paintingMemory(system: System, folder: Folder, seed: number, quick: boolean) {
  const { pids } = system;
  await setTimeout(SETTLE_MS);
  const before = pssMb(pids);
  const load = { sessions: agentsOf(quick), seed };
  const busy = await makeBusy(folder.path, load, (...session) => system.start(...session));
  await setTimeout(quick ? PAINT_MS / 4 : PAINT_MS);
  const paintingMb = pssMb(pids) - before;
  await busy.quiet();
  await setTimeout(REST_MS);
  return { paintingMb, afterwardsMb: pssMb(pids) - before };
}

const sessionsOf = (quick: boolean): number => (quick ? SESSIONS / 4 : SESSIONS);
const agentsOf = (quick: boolean): number => (quick ? AGENTS / 5 : AGENTS);

/**
 * After work, V8 collects garbage once or twice while the process is idle, so the quietest of several periods counts.
 */
async function quietest(pids: readonly number[], triesLeft = TRIES): Promise<number> {
  const before = wakeUps(pids);
  await setTimeout(WATCH_MS);
  const count = wakeUps(pids) - before;
  return count === 0 || triesLeft === 1 ? count : Math.min(count, await quietest(pids, triesLeft - 1));
}

function figuresOf({ orchd, tmux }: Record<'orchd' | 'tmux', readonly Memory[]>, quick: boolean): Figure[] {
  const [sessions, agents] = [sessionsOf(quick), agentsOf(quick)];
  const of = (what: string, value: (memory: Memory) => number, goal?: number): Figure[] => {
    const [own, theirs] = [orchd.map(value), tmux.map(value)];
    const [figure] = beside(what, 'MB', { own, theirs });
    const note = theirs.length > 0 ? { note: `tmux ${median(theirs).toFixed(2)} MB` } : {};
    return figure ? [{ ...figure, ...note, ...(goal !== undefined && { goal }) }] : [];
  };
  const own =
    `${median(orchd.map((memory) => memory.privateMb)).toFixed(0)} MB of it private; the rest, Node's own ` +
    'file, is shared';
  const woken = median(orchd.map((memory) => memory.woken));
  return [
    { what: 'empty', value: median(orchd.map(({ emptyMb }) => emptyMb)), unit: 'MB', goal: EMPTY_GOAL_MB, note: own },
    ...of(
      `each of ${sessions} silent sessions`,
      (memory) => (memory.silentMb - memory.emptyMb) / sessions,
      SILENT_GOAL_MB,
    ),
    ...(quick ? [] : [{ what: `wake-ups in ${WATCH_MS / 1000} s then`, value: woken, unit: '' as const, goal: 0 }]),
    ...of(`each of ${agents} agents that paint`, (memory) => memory.paintingMb / agents, AGENT_GOAL_MB),
    ...of(`  ${REST_MS / 1000} s after the last of it`, (memory) => memory.afterwardsMb / agents),
  ];
}

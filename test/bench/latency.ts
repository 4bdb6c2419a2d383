/**
 * How soon what happens in a session is known outside of it; idle, and beside 10 and 50 recorded agents that paint at
 * their own pace.
 *
 *     output              from the write of a line (it holds the moment) to a program that follows: orchd's stream
 *                         over the Unix socket, tmux in control mode
 *     key echo            from the write of a key by the same program to its echo there
 *     echo at a terminal  from a key typed at `orchd attach` and `tmux attach`, each in a bare pty, to its echo there
 *     message → event     from the write of a message's last byte until a subscriber of the events has parsed its
 *                         event, which is on disk by then; from a program that prints lines, and from one that paints
 *                         its screen
 *     answer → pty        from the API call until the program that asked has read the line from its terminal
 *
 * Beside them, idle: the first three through a chain of bare Node processes, as many as orchd has, and one
 * `fdatasync` of this disk. orchd and tmux are started anew for each, in turn, ROUNDS times; the figures are medians
 * of the rounds. All clocks are the machine's monotonic one.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestDaemon } from '../harness/daemon.js';
import { type Bench, beside, type Figure, format, median, percentile } from './bench.js';
import { makeBusy, PROGRAMS } from './busy.js';
import { type EchoOptions, echoTimes } from './echo-times.js';
import { createFolder, type Folder } from './inputs/files.js';
import { ORCHD_AND_TMUX, startBare, type Viewed } from './systems.js';

const BUSY = [0, 10, 50];
const ROUNDS = 2;
const SAMPLES = 150;
const ANSWERS = 60;
/** Pause between two samples. */
const EVERY_MS = 15;
/** Time until the agents in the other sessions have begun. */
const SETTLE_MS = 4_000;
/** A bench that takes longer is stuck. */
const PATIENCE_MS = 60_000;
/** Maximum ratio to tmux's time: for each p50 while idle, and for each p99 beside 10 agents. */
const GOAL = 2.5;
const MESSAGE_GOALS_MS: Readonly<Record<number, number>> = { 0: 40, 50: 70 };
const ANSWER_GOAL_MS = 50;

const BOTH = ['output', 'key echo', 'echo at a terminal'] as const;
const ALONE = ['message → event, printed', 'message → event, painted', 'answer → pty'] as const;
type What = (typeof BOTH)[number] | (typeof ALONE)[number] | 'fdatasync';
/** Times in ms, by what was measured, then by round. */
type Times = Partial<Record<What, number[][]>>;
type Name = 'orchd' | 'tmux' | 'bare';

export const latency: Bench = {
  name: 'latency',
  summary:
    `output, echo, messages and answers; idle and beside ${BUSY.slice(1).join(' and ')} recorded agents, ` +
    'beside tmux',
  async run({ seed, quick, progress }) {
    const samples = quick ? 40 : SAMPLES;
    const figures: Figure[] = [];
    for (const agents of quick ? BUSY.slice(0, 2) : BUSY) {
      const found: Record<Name, Times> = { orchd: {}, tmux: {}, bare: {} };
      for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
        for (const name of ['orchd', 'tmux', ...(agents === 0 ? (['bare'] as const) : [])] as const) {
          progress(`round ${round + 1}: ${name} beside ${agents} agents`);
          const times = await measure(name, { agents, samples, seed: seed + round });
          for (const [what, list] of Object.entries(times ?? {}) as [What, number[]][])
            found[name][what] = [...(found[name][what] ?? []), list];
        }
      }
      figures.push(...figuresOf(agents, found));
    }
    return figures;
  },
};

interface Plan {
  readonly agents: number;
  readonly samples: number;
  readonly seed: number;
}

async function measure(name: Name, plan: Plan): Promise<Partial<Record<What, number[]>> | null> {
  const folder = createFolder();
  const bare = name === 'bare' ? startBare(folder.path) : null;
  const system = name === 'bare' ? null : await ORCHD_AND_TMUX[name](folder.path);
  const viewed = bare ?? system;
  try {
    if (!viewed) return null;
    const { agents, samples, seed } = plan;
    const load = { sessions: agents, seed };
    const busy = agents === 0 ? null : await makeBusy(folder.path, load, (...session) => viewed.start(...session));
    if (busy) await setTimeout(SETTLE_MS);
    const times = {
      output: await outputTimes(viewed, samples),
      'key echo': await echoTimes(viewed, echo('follow', samples)),
      'echo at a terminal': await echoTimes(viewed, echo('attach', samples)),
      ...(system?.daemon && {
        'message → event, printed': await messageTimes(system.daemon, samples, false),
        'message → event, painted': await messageTimes(system.daemon, samples, true),
        'answer → pty': await answerTimes(system.daemon, Math.min(samples, ANSWERS)),
      }),
      ...(bare && { fdatasync: await syncTimes(folder, samples) }),
    };
    await busy?.quiet();
    return times;
  } finally {
    bare?.close();
    await system?.close();
    folder.remove();
  }
}

/**
 * Reads the timestamps between `@@` in a text, as milliseconds ago, and returns the rest, which may contain an
 * incomplete one.
 */
function readStamps(text: string, now: bigint): { times: number[]; rest: string } {
  const times = [...text.matchAll(/@@(\d+)@@/g)].map(([, stamp]) => Number(now - BigInt(stamp ?? 0)) / 1e6);
  const end = [...text.matchAll(/@@\d+@@/g)].at(-1);
  return { times, rest: text.slice(end ? end.index + end[0].length : 0).slice(-100) };
}

async function outputTimes(system: Viewed, count: number): Promise<number[]> {
  const program = [process.execPath, join(PROGRAMS, 'stamped-lines.mjs'), String(count), String(EVERY_MS)];
  const times: number[] = [];
  let rest = '';
  const view = await system.follow(await system.start('lines', program), (text) => {
    const found = readStamps(rest + text, process.hrtime.bigint());
    times.push(...found.times);
    rest = found.rest;
  });
  await setTimeout(500); // Until the program waits for its first line.
  view.write('\r');
  await until(() => times.length >= count);
  view.close();
  return times;
}

const echo = (how: 'follow' | 'attach', count: number): EchoOptions => {
  return { how, name: `keys-${how}`, count, everyMs: EVERY_MS, settleMs: 1000, patienceMs: PATIENCE_MS / 10 };
};

const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

async function messageTimes({ client }: TestDaemon, count: number, isPainted: boolean): Promise<number[]> {
  const mode = isPainted ? 'painted' : 'printed';
  const command = [process.execPath, join(PROGRAMS, 'stamps.mjs'), String(count), String(EVERY_MS * 2), mode];
  const times: number[] = [];
  const { last_seq: since } = await client.call('daemon.status', {});
  const { id: session } = await client.call('session.start', { command });
  await setTimeout(500); // Until the program waits for a line.
  await client.call('session.keys', { session, keys: ['g', 'o', 'Enter'] });
  for await (const event of client.events({ follow: true, since, type: ['message'], session, signal: patience() })) {
    times.push(...readStamps(JSON.stringify(event), process.hrtime.bigint()).times.slice(0, 1));
    if (times.length === count) break;
  }
  await client.call('session.kill', { session });
  return times;
}

async function answerTimes({ client }: TestDaemon, count: number): Promise<number[]> {
  const times: number[] = [];
  let called = 0n;
  const { last_seq: since } = await client.call('daemon.status', {});
  const command = [process.execPath, join(PROGRAMS, 'asker.mjs')];
  const { id: session } = await client.call('session.start', { command });
  const type = ['item_opened', 'message'] as const;
  for await (const event of client.events({ follow: true, since, type: [...type], session, signal: patience() })) {
    const stamp = /@@(\d+)@@/.exec(JSON.stringify(event))?.[1];
    if (stamp !== undefined) times.push(Number(BigInt(stamp) - called) / 1e6);
    if (times.length === count) break;
    if (event.event_type !== 'item_opened') continue;
    called = process.hrtime.bigint();
    await client.call('inbox.answer', { item: event.item_id, text: 'yes' });
  }
  await client.call('session.kill', { session });
  return times;
}

async function syncTimes(folder: Folder, count: number): Promise<number[]> {
  const file = openSync(join(folder.path, 'synced'), 'w');
  const page = Buffer.alloc(4096);
  const times: number[] = [];
  while (times.length < count) {
    await setTimeout(5);
    writeSync(file, page);
    const start = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return times;
}

async function until(isDone: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !isDone() && performance.now() < end; ) await setTimeout(20);
}

function figuresOf(agents: number, found: Record<Name, Times>): Figure[] {
  const where = agents === 0 ? 'idle' : `beside ${agents} agents`;
  const of = (name: Name, what: What, share: number): number[] =>
    (found[name][what] ?? []).map((times) => percentile(times, share));
  const compared = BOTH.flatMap((what) =>
    [0.5, 0.99].flatMap((share) => {
      const bare = of('bare', what, share);
      const hasGoal = what !== 'echo at a terminal' && (share === 0.5 ? agents === 0 : agents === 10);
      return beside(`${what}, ${where}, p${share * 100}`, 'ms', {
        own: of('orchd', what, share),
        theirs: of('tmux', what, share),
        ...(hasGoal && { goal: GOAL }),
        ...(bare.length > 0 && { note: `bare Node processes ${format(median(bare))} ms` }),
      });
    }),
  );
  const alone = ALONE.flatMap((what) => {
    const goal = what === 'answer → pty' ? ANSWER_GOAL_MS : MESSAGE_GOALS_MS[agents];
    return [0.5, 0.99].map(
      (share): Figure => ({
        what: `${what}, ${where}, p${share * 100}`,
        value: median(of('orchd', what, share)),
        unit: 'ms',
        ...(share === 0.99 && goal !== undefined && { goal }),
      }),
    );
  });
  const sync = of('bare', 'fdatasync', 0.99);
  const disk: Figure = {
    what: 'beside it: fdatasync, p50',
    value: median(of('bare', 'fdatasync', 0.5)),
    unit: 'ms',
    note: `p99 ${format(median(sync))} ms`,
  };
  return [...compared, ...alone, ...(sync.length > 0 ? [disk] : [])];
}

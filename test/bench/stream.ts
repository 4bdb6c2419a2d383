/**
 * How soon what a program prints is with a program that follows it, and a key's echo with a person who sits at it; idle, and beside BUSY
 * sessions of LINES_PER_SECOND each.
 *
 *     output     from the write of a line (it holds the moment) to the client: our stream over the Unix socket; tmux in control mode
 *     echo       from the write of a key to the attached terminal to its echo there: `orchd attach` and `tmux attach`, each in a bare pty;
 *                the session has printed six megabytes before
 *
 *     bare       the same through a chain of bare Node processes, as many as orchd has: what Node itself costs
 *
 * One after the other, orchd, tmux and the bare chain, ROUNDS times; medians of the rounds, and how they compare.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median, percentile } from './bench.js';
import { makeBusy, PROGRAMS } from './busy.js';
import { createFolder } from './inputs.js';
import { startTmux } from './tmux.js';
import { ofOrchd, ofTmux, type System, startBare } from './views.js';

const ROUNDS = 3;
const LINES = 150;
const EVERY_MS = 8;
const KEYS = 120;
const BUSY = { sessions: 10, linesPerSecond: 2000 };
const PATIENCE_MS = 20_000;
const PRINTER = [process.execPath, join(PROGRAMS, 'stamped-lines.mjs'), String(LINES), String(EVERY_MS)];
const TYPIST = ['sh', join(PROGRAMS, 'much-then-cat.sh')];
/** Letters that stand in no sequence that a terminal is sent while a key is echoed. */
const LETTERS = 'QVWZ';

export const stream: Bench = {
  name: 'stream',
  summary: 'a line → a client that follows, a key → its echo; beside tmux',
  async run() {
    const folder = createFolder();
    const tmux = await startTmux(folder.path);
    const daemon = await startDaemon();
    const bare = startBare(folder.path);
    const systems = { orchd: ofOrchd(daemon), ...(tmux && { tmux: ofTmux(tmux) }), bare: bare.system };
    try {
      const figures: Figure[] = [];
      for (const isBusy of [false, true]) {
        const found = await measure(systems, isBusy, folder.path);
        for (const what of ['output', 'echo'] as const) figures.push(...compare(what, isBusy, found));
      }
      return figures;
    } finally {
      bare.close();
      await tmux?.close();
      await daemon.close();
      folder.remove();
    }
  },
};

type Found = Record<string, Record<'output' | 'echo', number[][]>>;

async function measure(systems: Record<string, System>, isBusy: boolean, folder: string): Promise<Found> {
  const found: Found = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, system] of Object.entries(systems)) {
      const id = `${isBusy ? 'busy' : 'idle'}${round}`;
      const calm = isBusy
        ? await makeBusy(folder, BUSY, (command, n) => system.start(`${id}-${n}`, command))
        : () => {};
      found[name] ??= { output: [], echo: [] };
      found[name].output.push(await outputTimes(system, await system.start(`${id}-lines`, PRINTER)));
      found[name].echo.push(await echoTimes(system, await system.start(`${id}-keys`, TYPIST)));
      calm();
    }
  }
  return found;
}

async function outputTimes(system: System, session: string): Promise<number[]> {
  const times: number[] = [];
  let rest = '';
  const view = await system.follow(session, (text) => {
    const now = process.hrtime.bigint();
    rest += text;
    for (const [, stamp] of rest.matchAll(/@@(\d+)@@/g)) times.push(Number(now - BigInt(stamp ?? 0)) / 1e6);
    rest = rest.slice(rest.lastIndexOf('@@') + 2).slice(-100);
  });
  await setTimeout(500); // until the program waits for its first line
  view.write('\r');
  await until(() => times.length >= LINES);
  view.close();
  return times;
}

async function echoTimes(system: System, session: string): Promise<number[]> {
  const times: number[] = [];
  let wanted = '';
  let onSeen: () => void = () => {};
  const view = await system.attach(session, (text) => {
    if (wanted !== '' && text.includes(wanted)) onSeen();
  });
  await setTimeout(1000); // until all is drawn
  while (times.length < KEYS) {
    wanted = LETTERS[times.length % LETTERS.length] ?? '';
    const start = performance.now();
    const seen = new Promise<void>((resolve) => {
      onSeen = resolve;
    });
    view.write(wanted);
    await Promise.race([seen, setTimeout(PATIENCE_MS)]);
    times.push(performance.now() - start);
    wanted = '';
    if (times.length % 40 === 0) view.write('\r');
    await setTimeout(EVERY_MS);
  }
  view.close();
  return times;
}

async function until(isDone: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !isDone() && performance.now() < end; ) await setTimeout(20);
}

function compare(what: 'output' | 'echo', isBusy: boolean, found: Found): Figure[] {
  const ratio = what === 'output' ? 1.2 : 1.3;
  return [0.5, 0.99].flatMap((share): Figure[] => {
    const of = (name: string): number => median((found[name]?.[what] ?? []).map((times) => percentile(times, share)));
    const title = `${what}, ${isBusy ? 'busy' : 'idle'}, p${share * 100}`;
    const own: Figure = { what: title, value: of('orchd'), unit: 'ms' };
    const bare: Figure = { what: '  the same through bare Node sockets', value: of('bare'), unit: 'ms' };
    if (!found['tmux']) return [own, bare];
    const note = `tmux ${of('tmux').toFixed(2)} ms`;
    // Of an echo only the middle has a goal: what a hand feels.
    const goal = what === 'output' || share === 0.5 ? { goal: ratio } : {};
    return [own, bare, { what: `${title}, of tmux's`, value: of('orchd') / of('tmux'), unit: 'x', ...goal, note }];
  });
}

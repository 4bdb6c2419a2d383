/**
 * Measures the CPU time that hearing needs for the output of real agents, from the recordings in fixtures/screen,
 * compared with a bare xterm.js that gets the same bytes.
 *
 * CPU time is that of this process. Each recording is played once before, to warm up. The busiest second of a recording
 * shows the cost of an agent that streams. Gemini CLI and Qwen Code repaint everything after every few words: about 84
 * KB for a reply of 100 tokens.
 */
import { join } from 'node:path';
import headless from '@xterm/headless';
import { createHearing } from '../../src/session/index.js';
import { parseCast, parseSize } from '../../src/session/recordings/cast.js';
import { createRecorder, type Happening } from '../../src/session/recordings/made-journal.js';
import { recordingsIn } from '../recordings.js';
import { type Bench, type Figure, format } from './bench.js';

const FOLDER = join(import.meta.dirname, '../../fixtures/screen');
/** Megabytes that a program prints for 100 tokens if it repaints its whole screen. */
const REPAINTED_MB = 0.084;
const REPAINTING = ['gemini', 'qwen'];
/** Maximum CPU time of each second: 5 % of a core. */
const GOAL_MS = 50;

interface Cost {
  cpuMs: number;
  bareMs: number;
  megabytes: number;
  seconds: number;
  busiestMs: number;
}

export const screen: Bench = {
  name: 'screen',
  summary: 'CPU time for what real agents paint',
  run: () => {
    const costs = new Map<string, Cost>();
    for (const { name, text: read } of recordingsIn(FOLDER)) {
      const text = read();
      play(text);
      const program = (name.split('-')[0] ?? '').replace(/(?:ax|inline|sr)$/, '');
      const sum = costs.get(program) ?? { cpuMs: 0, bareMs: 0, megabytes: 0, seconds: 0, busiestMs: 0 };
      const { cpuMs, bareMs, megabytes, seconds, busiestMs } = play(text);
      costs.set(program, {
        cpuMs: sum.cpuMs + cpuMs,
        bareMs: sum.bareMs + bareMs,
        megabytes: sum.megabytes + megabytes,
        seconds: sum.seconds + seconds,
        busiestMs: Math.max(sum.busiestMs, busiestMs),
      });
    }
    return [...costs].flatMap(([program, cost]) => figures(program, cost));
  },
};

function figures(program: string, { cpuMs, bareMs, megabytes, seconds, busiestMs }: Cost): Figure[] {
  const note = `${format(cpuMs / bareMs)} times a bare xterm.js; ${format(cpuMs / seconds)} ms for a recorded second`;
  const perMegabyte = cpuMs / megabytes;
  const stream: Figure = {
    what: `${program}, 100 tokens/s`,
    value: perMegabyte * REPAINTED_MB,
    unit: 'ms',
    goal: GOAL_MS,
  };
  return [
    { what: `${program}, a megabyte`, value: perMegabyte, unit: 'ms', note },
    { what: `${program}, its busiest second`, value: busiestMs, unit: 'ms', goal: GOAL_MS },
    ...(REPAINTING.includes(program) ? [stream] : []),
  ];
}

/** Plays a recording with the ordered ticks, once to the hearing and once to a bare terminal. */
function play(text: string): Cost {
  const reading = parseCast(text);
  if (!reading.ok) throw new Error(reading.message);
  const { cols, rows, events } = reading.cast;
  const record = createRecorder();
  const hearing = createHearing();
  const bare = bareTerminal(cols, rows);
  const bySecond = new Map<number, number>();
  let [before, bytesPlayed, bareMs] = [0, 0, 0];
  const push = (happening: Happening, timeMs: number): void => {
    const second = Math.floor(timeMs / 1000);
    const spent = cpuOf(() => void hearing.push(record(happening)));
    bySecond.set(second, (bySecond.get(second) ?? 0) + spent);
  };
  push({ kind: 'start', sessionId: '', command: [], cwd: '', pid: 0, cols, rows }, 0);
  for (const { timeMs, kind, data } of events) {
    if (kind === 'm') continue;
    let last = 0;
    for (let tick = hearing.wantsTick(); tick && tick.quietMs > last; tick = hearing.wantsTick()) {
      last = tick.quietMs;
      if (last <= timeMs - before) push({ kind: 'tick', quietMs: last }, timeMs);
    }
    before = timeMs;
    const bytes = Buffer.from(data, 'utf8');
    if (kind === 'o') {
      push({ kind: 'out', bytes }, timeMs);
      bareMs += cpuOf(() => bare.parse(bytes));
      bytesPlayed += bytes.length;
    }
    const submits = data.includes('\r');
    if (kind === 'i') {
      push({ kind: 'input', phase: 'begin', writeId: null, text: data, length: bytes.length, submits }, timeMs);
    }
    const size = kind === 'r' ? parseSize(data) : null;
    if (size) push({ kind: 'resize', ...size }, timeMs);
  }
  const spent = [...bySecond.values()];
  return {
    cpuMs: spent.reduce((sum, ms) => sum + ms, 0),
    bareMs,
    megabytes: bytesPlayed / 1e6,
    seconds: before / 1000,
    busiestMs: Math.max(...spent),
  };
}

/** Returns the CPU time of this process that the work takes, in milliseconds. */
export function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Writes synchronously, like the screen ear. */
export function bareTerminal(cols: number, rows: number): { parse(bytes: Uint8Array): void } {
  const terminal = new headless.Terminal({ cols, rows, scrollback: 600, allowProposedApi: true });
  const { _inputHandler } = (terminal as unknown as { _core: { _inputHandler: { parse(bytes: Uint8Array): void } } })
    ._core;
  return _inputHandler;
}

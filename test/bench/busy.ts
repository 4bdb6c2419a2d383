/**
 * Sessions that are busy beside what is measured: recorded agents that paint at their own pace, or programs that
 * print lines.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { agentOf, type Size } from './inputs/agents.js';
import type { Totals } from './inputs/player.js';

export const PROGRAMS = join(import.meta.dirname, 'programs');
const PLAYER = ['--import', 'tsx', join(PROGRAMS, 'player.ts')];
const SIZE: Size = { cols: 80, rows: 24 };

export interface Load {
  readonly sessions: number;
  readonly seed: number;
  /** Lines that each program prints per second. Default: the programs replay recorded agents. */
  readonly linesPerSecond?: number;
}

export interface Busy {
  /** Starts to count the bytes that are written. */
  count(): void;
  /**
   * Ends the output; the sessions stay.
   * @returns What was written since `count`.
   */
  quiet(): Promise<Totals>;
}

/** @param start  Starts a session with this command and size. */
export async function makeBusy(
  folder: string,
  { sessions, seed, linesPerSecond }: Load,
  start: (name: string, command: string[], size: Size) => Promise<unknown>,
): Promise<Busy> {
  const fifos = Array.from({ length: sessions }, (_, n) => join(folder, `busy-${n}`));
  execFileSync('mkfifo', fifos);
  for (const [n, fifo] of fifos.entries()) {
    const isPainting = linesPerSecond === undefined;
    const script = `${isPainting ? paintingScript(fifo) : `cat ${fifo}`}; exec sleep 1000000`;
    await start(`busy-${n}`, ['sh', '-c', script], isPainting ? agentOf(n).size : SIZE);
  }
  const player = spawn(process.execPath, [...PLAYER, JSON.stringify({ seed, fifos, linesPerSecond })]);
  player.stderr.pipe(process.stderr);
  const output = text(player.stdout);
  return {
    count: () => void player.stdin.write('\n'),
    async quiet() {
      const ended = once(player, 'exit');
      player.stdin.end();
      await ended;
      for (const fifo of fifos) rmSync(fifo);
      return JSON.parse(await output) as Totals;
    },
  };
}

/**
 * Returns a script that prints a file as a program that paints does: its terminal is in raw mode, and its input is
 * read, so that the terminal's replies to queries neither fill the input nor are echoed.
 */
export const paintingScript = (file: string): string =>
  `stty raw -echo; exec 3<&0; cat <&3 >/dev/null & reader=$!; cat ${file}; kill $reader`;

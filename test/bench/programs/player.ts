/**
 * Keeps sessions busy: plays recorded agents, or lines, into FIFOs that the sessions' programs print. One session
 * each.
 *
 *     tsx player.ts '{"seed": 7, "fifos": [PATH…], "linesPerSecond": 100}'     recorded agents without linesPerSecond
 *
 * At the end of its standard input, it prints {"bytes", "writes", "lateMs"} for its output since the last input line,
 * and exits.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { paced, printed } from '../inputs/agents.js';
import { Player, type Totals } from '../inputs/player.js';

const { seed, fifos, linesPerSecond } = JSON.parse(process.argv[2] ?? '') as {
  readonly seed: number;
  readonly fifos: readonly string[];
  readonly linesPerSecond?: number;
};
// The FIFOs are also opened for reading. Opening then does not wait for a reader, and the end of a reader does not
// break the pipe.
const files = fifos.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
const players = files.map((file, session) => {
  const frames = linesPerSecond === undefined ? paced(session, seed) : printed(session, seed, linesPerSecond);
  return new Player(frames, (bytes) => writeNow(file, bytes));
});
const startMs = performance.now();

function writeNow(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0; // the reader is behind
    throw error;
  }
}

function go(player: Player): void {
  const now = performance.now() - startMs;
  const nextMs = player.play(now);
  if (nextMs !== null) setTimeout(go, Math.max(0, nextMs - now), player);
}
for (const player of players) go(player);

function takeTotals(): Totals {
  const all = players.map((player) => player.takeTotals());
  return {
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    writes: all.reduce((sum, { writes }) => sum + writes, 0),
    lateMs: Math.max(...all.map(({ lateMs }) => lateMs)),
  };
}

const input = createInterface({ input: process.stdin });
input.on('line', takeTotals);
input.on('close', () => {
  process.stdout.write(`${JSON.stringify(takeTotals())}\n`);
  for (const file of files) closeSync(file);
  process.exit();
});

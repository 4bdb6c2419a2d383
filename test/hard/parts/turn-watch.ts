/**
 * Measures the turns of a daemon's event loop from inside of its process: how much CPU time its main thread needs
 * between two ticks of a timer. A request waits for at least as long. Other programs on the machine do not change the
 * figure, because time without a core is not counted.
 *
 * In:   a home without a daemon. It gets a daemon into which Node loads a few lines first.
 * Out:  the longest turn since the last call (`longestMs`).
 *
 * Linux only: it reads /proc/self/schedstat, whose first number is the CPU time of the main thread in nanoseconds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEAP_FLAGS, LISTENING } from '../../../src/protocol/index.js';
import { BIN, type Home } from './home.js';

/** Turns that take less are not written down. */
const NOTED_MS = 5;
const DAEMON = join(BIN, '../../dist/daemon.js');

export interface TurnWatch {
  /** The longest turn since the last call, in milliseconds of CPU time; 0 if none took NOTED_MS. */
  longestMs(): number;
}

/** Starts the daemon of a home. Resolves when it listens. */
export async function startWatched({ env }: Home): Promise<TurnWatch> {
  const turns = join(env['ORCHD_HOME'] ?? '', 'turns');
  const preload = join(env['ORCHD_HOME'] ?? '', 'preload.mjs');
  writeFileSync(turns, '');
  writeFileSync(preload, preloadText(turns));
  const args = [...HEAP_FLAGS, `--import=${preload}`, DAEMON, '--no-tcp'];
  const child = spawn(process.execPath, args, { env, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  for (let said = ''; !said.includes(LISTENING); ) said += String((await once(child.stdout, 'data'))[0]);
  child.stdout.resume();
  child.unref();
  return {
    longestMs() {
      const all = readFileSync(turns, 'utf8').split('\n').filter(Boolean).map(Number);
      truncateSync(turns);
      return Math.max(0, ...all);
    },
  };
}

/** Node runs this before the daemon. */
function preloadText(turns: string): string {
  return `
import { appendFileSync, openSync, readSync } from 'node:fs';
  const stat = openSync('/proc/self/schedstat', 'r');
  const bytes = Buffer.alloc(64);
  const cpuMs = () => Number(bytes.toString('latin1', 0, readSync(stat, bytes, 0, 64, 0)).split(' ')[0]) / 1e6;
  let before = cpuMs();
  setInterval(() => {
    const now = cpuMs();
    if (now - before >= ${NOTED_MS}) appendFileSync(${JSON.stringify(turns)}, (now - before).toFixed(1) + '\\n');
    before = cpuMs();
  }, 1).unref();
`;
}

/**
 * What a command costs beside Node itself: `node -e 0` and each command in turn, ROUNDS times; medians, and how they compare.
 * With five sessions; the daemon is warm. `run -d` is one round trip more for the host to start the program.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';

const ROUNDS = 21;
const SESSIONS = 5;
const BIN = join(import.meta.dirname, '../../bin/orchd.js');

/** Of `node -e 0`: what is called all day costs little more than Node itself. */
const MOST = 1.25;

const COMMANDS: readonly { readonly name: string; readonly args: readonly string[]; readonly goal?: number }[] = [
  { name: 'orchd ls', args: [BIN, 'ls'], goal: MOST },
  { name: 'orchd capture', args: [BIN, 'capture', 'idle-1'], goal: MOST },
  { name: 'orchd run -d', args: [BIN, 'run', '-d', '--', 'true'], goal: MOST },
  { name: 'orchd version', args: [BIN, 'version'] },
];

export const cli: Bench = {
  name: 'cli',
  summary: 'wall time of commands, beside `node -e 0`',
  async run() {
    const daemon = await startDaemon();
    const time = (args: readonly string[]): number => {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { env: daemon.env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      return performance.now() - start;
    };
    try {
      for (let n = 1; n <= SESSIONS; n++) await daemon.sh('cat', '--name', `idle-${n}`);
      const node: number[] = [];
      const took = new Map<string, number[]>(COMMANDS.map(({ name }) => [name, []]));
      for (let round = 0; round < ROUNDS; round++) {
        node.push(time(['-e', '0']));
        for (const { name, args } of COMMANDS) took.get(name)?.push(time(args));
      }
      const base = median(node);
      return [
        { what: 'node -e 0', value: base, unit: 'ms', note: `${ROUNDS} rounds` },
        ...COMMANDS.map(({ name, goal }): Figure => {
          const ms = median(took.get(name) ?? []);
          const note = `${ms.toFixed(1)} ms`;
          return { what: `${name}, of it`, value: ms / base, unit: 'x', ...(goal !== undefined && { goal }), note };
        }),
      ];
    } finally {
      await daemon.close();
    }
  },
};

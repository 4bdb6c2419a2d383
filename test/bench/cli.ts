/**
 * What a command costs above Node itself: `node -e 0` and each command in turn, ROUNDS times; medians of the differences within a round.
 * With five sessions; the daemon is warm. `run -d` is one round trip more for the host to start the program.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';

const ROUNDS = 21;
const SESSIONS = 5;
const BIN = join(import.meta.dirname, '../../bin/orchd.js');

const COMMANDS: readonly { readonly name: string; readonly args: readonly string[]; readonly goal?: number }[] = [
  { name: 'orchd version', args: [BIN, 'version'] },
  { name: 'orchd ls', args: [BIN, 'ls'], goal: 60 },
  { name: 'orchd capture', args: [BIN, 'capture', 'idle-1'] },
  { name: 'orchd run -d', args: [BIN, 'run', '-d', '--', 'true'] },
];

export const cli: Bench = {
  name: 'cli',
  summary: 'wall time of commands above `node -e 0`',
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
      const above = new Map<string, number[]>(COMMANDS.map(({ name }) => [name, []]));
      for (let round = 0; round < ROUNDS; round++) {
        const base = time(['-e', '0']);
        node.push(base);
        for (const { name, args } of COMMANDS) above.get(name)?.push(time(args) - base);
      }
      return [
        { what: 'node -e 0', value: median(node), unit: 'ms', note: `${ROUNDS} rounds` },
        ...COMMANDS.map(
          ({ name, goal }): Figure => ({
            what: `${name}, above it`,
            value: median(above.get(name) ?? []),
            unit: 'ms',
            ...(goal !== undefined && { goal }),
          }),
        ),
      ];
    } finally {
      await daemon.close();
    }
  },
};

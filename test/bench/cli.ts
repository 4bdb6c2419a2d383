/**
 * Compares the time of each command with that of `node -e 0`. They run in turn, ROUNDS times, and the figures are
 * medians. Five sessions exist, and the daemon is warm. `run -d` needs one more round trip, in which the host starts
 * the program.
 *
 * The bare call is a minimal Node program that sends one request. The bare attach is a minimal Node program that shows
 * a session. An attach ends when the last row of the session is in the terminal.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as nodePty from 'node-pty';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';
import { PROGRAMS } from './busy.js';

const ROUNDS = 21;
const SESSIONS = 5;
const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const BARE = join(PROGRAMS, 'bare-call.cjs');
const BARE_ATTACH = join(PROGRAMS, 'bare-attach.cjs');
const PATIENCE_MS = 20_000;
/** The last row that the session `drawn` prints. A terminal that has received it is completely drawn. */
const LAST_ROW = 'the last row';

/** Maximum time as a multiple of `node -e 0`, for commands that people call all day. */
const MAX_FACTOR = 1.8;
const MAX_ATTACH = 2;

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly goal?: number;
  /** On its standard input. */
  readonly input?: string;
  /** Maximum time above that of `node -e 0`. */
  readonly goalMs?: number;
}

const PING = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
/** An agent waits for its MCP servers when it starts, so `orchd mcp` may take this long. */
const MAX_MCP_MS = 150;

export const cli: Bench = {
  name: 'cli',
  summary: 'wall time of commands, beside `node -e 0`',
  async run() {
    const daemon = await startDaemon();
    const commands: readonly Command[] = [
      { name: 'a bare call', args: [BARE, daemon.paths.socket] },
      { name: 'orchd ls', args: [BIN, 'ls'], goal: MAX_FACTOR },
      { name: 'orchd capture', args: [BIN, 'capture', 'idle-1'], goal: MAX_FACTOR },
      { name: 'orchd run -d', args: [BIN, 'run', '-d', '--', 'true'], goal: MAX_FACTOR },
      { name: 'orchd tool', args: [BIN, 'tool', 'report_status', '--session', 'idle-1', '--input', 'progress=1'] },
      // The input ends at once: the command answers this one line and ends.
      { name: 'orchd mcp', args: [BIN, 'mcp', '--session', 'idle-1'], input: PING, goalMs: MAX_MCP_MS },
      { name: 'orchd version', args: [BIN, 'version'], goal: MAX_FACTOR },
    ];
    const attaching: readonly Command[] = [
      { name: 'a bare attach until drawn', args: [BARE_ATTACH, daemon.paths.socket, 'drawn'] },
      { name: 'orchd attach until drawn', args: [BIN, 'attach', 'drawn'], goal: MAX_ATTACH },
    ];
    const time = (args: readonly string[], input = ''): number => {
      const start = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { env: daemon.env, encoding: 'utf8', input });
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      return performance.now() - start;
    };
    try {
      for (let n = 1; n <= SESSIONS - 1; n++) await daemon.sh('cat', '--name', `idle-${n}`);
      await daemon.sh(`seq 100; printf '${LAST_ROW}'; cat`, '--name', 'drawn');
      const node: number[] = [];
      const took = new Map<string, number[]>([...commands, ...attaching].map(({ name }) => [name, []]));
      for (let round = 0; round < ROUNDS; round++) {
        node.push(time(['-e', '0']));
        for (const { name, args, input } of commands) took.get(name)?.push(time(args, input));
        for (const { name, args } of attaching) took.get(name)?.push(await timeUntilDrawn(args, daemon.env));
      }
      const base = median(node);
      return [
        { what: 'node -e 0', value: base, unit: 'ms', note: `${ROUNDS} rounds` },
        ...[...commands, ...attaching].map(({ name, goal, goalMs }): Figure => {
          const ms = median(took.get(name) ?? []);
          const note = `${ms.toFixed(1)} ms`;
          if (goalMs !== undefined)
            return { what: `${name}, above it`, value: ms - base, unit: 'ms', goal: goalMs, note };
          return { what: `${name}, of it`, value: ms / base, unit: 'x', ...(goal !== undefined && { goal }), note };
        }),
      ];
    } finally {
      await daemon.close();
    }
  },
};

/** Returns the time until the screen is drawn, in a new terminal that is closed then. */
async function timeUntilDrawn(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now();
  const pty = nodePty.spawn(process.execPath, [...args], {
    cols: 80,
    rows: 24,
    env: { ...env, TERM: 'xterm-256color' },
  });
  const ended = new Promise((resolve) => pty.onExit(resolve));
  try {
    let shown = '';
    return await new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error('attach drew nothing')), PATIENCE_MS).unref();
      pty.onData((text) => {
        shown += text;
        if (shown.includes(LAST_ROW)) resolve(performance.now() - start);
      });
    });
  } finally {
    pty.kill();
    await ended;
  }
}

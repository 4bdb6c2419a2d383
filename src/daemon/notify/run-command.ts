/**
 * Runs the notify command: a line of shell that stands in the configuration and nowhere else.
 *
 * In:   the line, what it finds in its environment, what it may read from its standard input.
 * Out:  how it ended, with the end of what it printed. Never throws.
 * What agents said reaches it as data alone, so no shell reads it. It has `timeoutMs`, then it is killed with all that it started.
 */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { NotifyCommandRun } from '../../protocol/index.js';

export interface CommandInput {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
  readonly timeoutMs: number;
  /** Kills it. */
  readonly signal: AbortSignal;
}

const MAX_OUTPUT_CHARS = 2_000;

export function runCommand({ command, env, stdin, timeoutMs, signal }: CommandInput): Promise<NotifyCommandRun> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    // A group of its own, so that what it starts can be killed with it.
    const child = spawn('/bin/sh', ['-c', command], { detached: true, cwd: homedir(), env, stdio: 'pipe' });
    let output = '';
    let isLate = false;
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended just now.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const end = (outcome: NotifyCommandRun['outcome'], exitCode: number | null, by: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      // A grandchild may hold them open; it is not waited for.
      for (const stream of [child.stdout, child.stderr, child.stdin]) stream.destroy();
      const ms = Math.round(performance.now() - startedAt);
      resolve({ command, outcome, exit_code: exitCode, signal: by, ms, output: output.trim() });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT_CHARS);
      });
    }
    signal.addEventListener('abort', kill, { once: true });
    child.once('error', (error) => {
      output = error.message;
      end('not_started', null, null);
    });
    // What is in the pipes by now is still read.
    child.once('exit', (code, by) =>
      setImmediate(() => end(isLate ? 'timed_out' : code === 0 ? 'done' : 'failed', code, by)),
    );
    child.stdin.on('error', () => {}); // it need not read
    child.stdin.end(stdin);
  });
}

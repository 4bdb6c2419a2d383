/**
 * Runs the notify command: a line of shell from the configuration.
 *
 * In:   the line, its environment, and its standard input.
 * Out:  how it ended, with the end of its output. Never throws.
 * Agents' texts are passed only as data, so no shell interprets them. After `timeoutMs` the command is killed with all
 * its children.
 */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { NotifyCommandRun } from '../../protocol/index.js';

interface CommandInput {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
  readonly timeoutMs: number;
  /** Kills the command. */
  readonly signal: AbortSignal;
}

const MAX_OUTPUT_CHARS = 2_000;

export function runCommand(
  { command, env, stdin, timeoutMs, signal }: CommandInput,
  now = () => performance.now(),
): Promise<NotifyCommandRun> {
  const startedAt = now();
  return new Promise((resolve) => {
    // The command gets its own process group, so that its children can be killed with it.
    const child = spawn('/bin/sh', ['-c', command], { detached: true, cwd: homedir(), env, stdio: 'pipe' });
    let output = '';
    let isLate = false;
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // ESRCH: the command has just ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const end = (outcome: NotifyCommandRun['outcome'], exitCode: number | null, by: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      // A grandchild may hold the streams open. The daemon does not wait for it.
      for (const stream of [child.stdout, child.stderr, child.stdin]) stream.destroy();
      const ms = Math.round(now() - startedAt);
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
    // Data that is already in the pipes is still read.
    child.once('exit', (code, by) =>
      setImmediate(() => end(isLate ? 'timed_out' : code === 0 ? 'done' : 'failed', code, by)),
    );
    child.stdin.on('error', () => {}); // The command may end without reading its input.
    child.stdin.end(stdin);
  });
}

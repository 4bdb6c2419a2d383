/**
 * Runs a command to its end, for at most `limitMs`. After that its whole process group is ended, because a program
 * started by a wrapper would keep the output open.
 *
 * @returns Its standard output.
 * @throws {Error} In one line: its error output, or that it took too long.
 */
import { spawn } from 'node:child_process';

export interface BoundedOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

const MAX_CHARS = 100_000;

export function runBounded(
  file: string,
  args: readonly string[],
  { cwd, env = process.env, signal, limitMs }: BoundedOptions,
): Promise<string> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let [out, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out = (out + text).slice(-MAX_CHARS);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MAX_CHARS);
    });
    const end = (done: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      endGroup(child.pid);
      done();
    };
    const stop = (): void => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(() => reject(new Error(`not over after ${limitMs / 1000} s`))), limitMs);
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => end(() => reject(error)));
    // A program started by the wrapper may keep the output open.
    child.once('exit', () => endGroup(child.pid));
    child.once('close', (code, killedBy) => {
      if (code === 0) end(() => resolve(out));
      else end(() => reject(new Error(lineOf(`${out}\n${said}`) ?? `ended with ${killedBy ?? `code ${code}`}`)));
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}

/** Returns the most informative line of a failed command's output. */
function lineOf(said: string): string | undefined {
  const lines = said
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!) /, '').trim())
    .filter((line) => line !== '' && !/log of this run|^npm warn/i.test(line));
  const telling = /no matching version|\b\w*error: \S|requires|unsupported|cannot|not found/i;
  return lines.find((line) => telling.test(line)) ?? lines[0];
}

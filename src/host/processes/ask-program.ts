/**
 * Runs a program that prints its answer and ends, such as `--help`, and cleans up after it.
 *
 * In:   file, arguments, environment, folder, time limit.
 * Out:  the output, and the error, if there was one.
 *
 * The program has a process group of its own. The whole group is killed once the program has ended or its time is up. A
 * process that has left the group and keeps the output open does not delay the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';

interface AskAbout {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Maximum duration in milliseconds. */
  readonly limitMs: number;
}

interface ProgramAnswer {
  /** The output, even if the program failed. */
  readonly text: string;
  /** True if the program did not end within the time limit. */
  readonly isLate: boolean;
  /**
   * The error in words, such as `ended with exit code 127`. Null if the program printed something and ended with code
   * 0.
   */
  readonly problem: string | null;
}

/** Time limit for reading the rest of the output after the end. */
const DRAIN_MS = 500;
const MAX_BYTES = 1024 * 1024;

/** Runs the program. Never rejects: errors are part of the result. */
export function askProgram(file: string, args: readonly string[], about: AskAbout): Promise<ProgramAnswer> {
  const { env, cwd, limitMs } = about;
  return new Promise((resolve) => {
    const child = start(file, args, env, cwd);
    if (child instanceof Error) {
      resolve({ text: '', isLate: false, problem: `cannot be started: ${child.message}` });
      return;
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    let end: string | null = null;
    let isLate = false;
    let timer: NodeJS.Timeout;
    const abandon = () => killGroup(child);
    process.once('exit', abandon);
    const finish = () => {
      clearTimeout(timer);
      process.off('exit', abandon);
      child.stdout.destroy();
      child.stderr.destroy();
      const text = Buffer.concat(parts).toString('utf8');
      resolve({ text, isLate, problem: end ?? (text.trim() === '' ? 'printed nothing' : null) });
    };
    const stop = (problem: string | null) => {
      end ??= problem;
      killGroup(child);
      clearTimeout(timer);
      timer = setTimeout(finish, DRAIN_MS);
    };
    timer = setTimeout(() => {
      isLate = true;
      stop(`did not answer within ${limitMs / 1000} s`);
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= MAX_BYTES) parts.push(part);
        else stop('printed without end');
      });
    }
    child.once('error', (error) => {
      end ??= `cannot be started: ${error.message}`;
      finish();
    });
    child.once('exit', (code, signal) => stop(problemOf(code, signal)));
    child.once('close', finish);
  });
}

/**
 * Starts the program.
 * @returns The child process, or the system's error if the arguments or variables cannot be passed to any program.
 */
function start(file: string, args: readonly string[], env: AskAbout['env'], cwd: string) {
  try {
    return spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function problemOf(code: number | null, signal: string | null): string | null {
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? null : `ended with exit code ${code}`;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: all processes of the group have ended.
  }
}

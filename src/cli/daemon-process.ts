/** Starts the daemon when it is not there, and ends it when it no longer answers. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OrchdError, type OutputOf } from '../protocol/index.js';
import type { Context } from './context.js';

export type Status = OutputOf<'daemon.status'>;

const START_MS = 20_000;
const POLL_MS = 20;
/** A daemon that did not answer for ten seconds is not waited for long. */
const SILENT_GRACE_MS = 500;
/** In MB, as far as it is needed. A smaller one makes garbage old before it is collected: more work, and more memory, under load. */
export const YOUNG_HEAP = '--max-semi-space-size=16';

/** @returns null when no daemon answers. @throws {OrchdError} ORCHD_DAEMON_SILENT when one is there but does not answer. */
export async function daemonStatus(context: Context): Promise<Status | null> {
  if (!existsSync(context.paths.socket)) return null;
  try {
    return await context.client().call('daemon.status', {});
  } catch (error) {
    if (error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE') return null;
    throw error;
  }
}

/**
 * The status of a daemon that answers. One that does not, because it is stopped or hangs, is ended: its sessions live in the host, and
 * the next daemon goes on where it was.
 */
export async function answeringStatus(context: Context): Promise<Status | null> {
  try {
    return await daemonStatus(context);
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_SILENT') throw error;
    const { daemonPid } = await import('./daemon-pid.js');
    const pid = daemonPid(context.paths);
    if (pid === null) throw error;
    context.note(`the daemon (pid ${pid}) does not answer; it is ended`);
    await endProcess(pid, SILENT_GRACE_MS);
    return null;
  }
}

/**
 * Makes sure that a daemon runs.
 *
 * @param flags  For a daemon that is started now, e.g. `--no-tcp`.
 * @returns      Its status, and whether it was started by this.
 * @throws {OrchdError} What the daemon said when it could not start.
 */
export async function ensureDaemon(
  context: Context,
  flags: readonly string[] = [],
): Promise<{ status: Status; isNew: boolean }> {
  const running = await daemonStatus(context);
  if (running) return { status: running, isNew: false };
  await startDaemon(context, flags);
  const status = await daemonStatus(context);
  if (!status)
    throw new OrchdError('ORCHD_DAEMON_UNREACHABLE', `the daemon ended at once; see ${context.paths.logFile}`);
  return { status, isNew: true };
}

/** Resolves when a daemon listens: the one started here, or one that somebody else started at the same moment. */
async function startDaemon(context: Context, flags: readonly string[]): Promise<void> {
  const { logFile } = context.paths;
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const errors = openSync(logFile, 'a', 0o600);
  const file = join(import.meta.dirname, 'daemon.js');
  const child = spawn(process.execPath, [YOUNG_HEAP, file, ...flags], {
    detached: true,
    stdio: ['ignore', 'pipe', errors],
    cwd: '/',
    env: daemonEnvironment(context.env),
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new OrchdError('ORCHD_DAEMON_SILENT', `the daemon has not started in ${START_MS / 1000} s; see ${logFile}`),
        ),
      START_MS,
    );
    const done = (exit: number | null) => {
      clearTimeout(timer);
      resolve(exit);
    };
    child.stdout?.once('data', () => done(null));
    child.once('exit', done);
    child.once('error', reject);
  });
  child.stdout?.destroy();
  child.unref();
  if (code !== null && !(await appears(context))) throw await startError(code, logFile);
}

/**
 * Waits for a daemon that somebody else starts.
 *
 * @throws {OrchdError} ORCHD_DAEMON_SILENT when it does not come.
 */
export async function daemonComesUp(context: Context): Promise<Status> {
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    const status = await daemonStatus(context).catch(() => null);
    if (status) return status;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new OrchdError(
    'ORCHD_DAEMON_SILENT',
    `no daemon has come up in ${START_MS / 1000} s; see ${context.paths.logFile}`,
  );
}

/** The daemon must not inherit a session's identity, nor the colours of who started it. */
function daemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    ORCHD_SESSION_ID: _session,
    ORCHD_SESSION_TOKEN: _token,
    ORCHD_KEY: _key,
    NODE_OPTIONS: _options,
    ...rest
  } = env;
  return { ...rest, NODE_ENV: 'production' };
}

/** Whether another starter's daemon comes up. */
async function appears(context: Context): Promise<boolean> {
  for (let waited = 0; waited < 2_000; waited += POLL_MS) {
    if (await daemonStatus(context).catch(() => null)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** What the daemon's last words were. */
async function startError(code: number, logFile: string): Promise<OrchdError> {
  const { readFileSync } = await import('node:fs');
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).reverse();
  for (const line of lines) {
    try {
      const { error, code: known } = JSON.parse(line);
      if (typeof error === 'string') return OrchdError.fromProblem({ error, code: String(known), message: '' });
    } catch {
      // Not one of the daemon's own lines.
    }
  }
  return new OrchdError('ORCHD_DAEMON_UNREACHABLE', `the daemon ended with code ${code}; see ${logFile}`);
}

/** Ends a process and waits until it is gone; KILL works on a stopped one too. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  const isAlive = () => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone.
    }
  };
  send('SIGTERM');
  for (let waited = 0; waited < graceMs && isAlive(); waited += POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  if (isAlive()) send('SIGKILL');
  while (isAlive()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

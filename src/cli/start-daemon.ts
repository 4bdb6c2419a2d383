/** Starts a daemon, and says why if it cannot start. */
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../host/index.js';
import { OrchdError, PLACE_ADVICE } from '../protocol/index.js';
import { checkPort } from './check-port.js';
import type { Context } from './context.js';
import { type DaemonFlags, toArguments } from './daemon-flags.js';
import { daemonStatus, type Status } from './daemon-process.js';

const START_MS = 20_000;
const POLL_MS = 20;
/** In MB, as far as it is needed. A smaller one makes garbage old before it is collected: more work, and more memory, under load. */
export const YOUNG_HEAP = '--max-semi-space-size=16';

/** Resolves when a daemon listens: the one started here, or one that somebody else started at the same moment. */
export async function startDaemon(context: Context, flags: DaemonFlags): Promise<void> {
  if (flags.port && !(await isFree(context, flags.port))) return;
  const { logFile } = context.paths;
  makeDirectory(dirname(logFile));
  const errors = openLog(logFile);
  const file = join(import.meta.dirname, 'daemon.js');
  const child = spawn(process.execPath, [YOUNG_HEAP, file, ...toArguments(flags)], {
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
  if (code !== null && !(await appears(context))) throw startError(code, logFile);
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

/** Where the daemon says why it cannot start. @throws {OrchdError} ORCHD_FILE */
function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OrchdError('ORCHD_FILE', `${path} cannot be written: ${why}; ${PLACE_ADVICE}`, { path }, error);
  }
}

/** Whether a port can be had; not if another starter's daemon has it. @throws {OrchdError} ORCHD_PORT if somebody else has. */
async function isFree(context: Context, port: number): Promise<boolean> {
  try {
    await checkPort(port);
    return true;
  } catch (error) {
    if (await daemonStatus(context)) return false;
    throw error;
  }
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
function startError(code: number, logFile: string): OrchdError {
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

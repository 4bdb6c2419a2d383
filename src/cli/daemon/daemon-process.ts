/** Starts the daemon if none is running, and ends one that no longer answers. */
import { OrchdError, type OutputOf } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import type { DaemonFlags } from './daemon-flags.js';
import { isAlive } from './is-alive.js';

export type Status = OutputOf<'daemon.status'>;

/** Time between two looks whether a process has ended or started. */
export const POLL_MS = 20;
/** Grace period for a daemon that has not answered for ten seconds. */
const GRACE_MS = 5_000;
const SILENT_GRACE_MS = 500;
/** Maximum time for a daemon to make its socket again. */
const REOPEN_MS = 1_000;

/**
 * @returns Null if no daemon runs.
 * @throws {OrchdError} ORCHD_DAEMON_SILENT if a daemon runs but does not answer; ORCHD_FILE if no daemon can run.
 */
export async function daemonStatus(context: Context): Promise<Status | null> {
  try {
    return await context.client().call('daemon.status', {});
  } catch (error) {
    if (error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE') return null;
    throw error;
  }
}

/**
 * Asks a daemon whose socket was removed to make it again, for example after the folder of sockets was removed at a
 * logout.
 *
 * @returns Its status; null if no daemon runs, or if it does not listen in time, because it is starting.
 */
export async function reopenSocket(context: Context): Promise<Status | null> {
  const { daemonPid } = await import('./daemon-pid.js');
  const pid = daemonPid(context.paths);
  if (pid === null) return null;
  process.kill(pid, 'SIGUSR1');
  for (let waited = 0; waited < REOPEN_MS && daemonPid(context.paths) !== null; waited += POLL_MS) {
    const status = await daemonStatus(context);
    if (status) return status;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

/**
 * Returns the status of the running daemon. A daemon that does not answer, because it is stopped or hangs, is ended:
 * its sessions live in the host, and the next daemon takes them over.
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
 * Makes sure that a daemon runs. One whose socket was removed makes it again.
 *
 * @param flags Flags for a daemon that has to be started.
 * @returns Its status, and whether this call started it.
 * @throws {OrchdError} The daemon's error if it could not start.
 */
export async function ensureDaemon(
  context: Context,
  flags: DaemonFlags = {},
): Promise<{ status: Status; isNew: boolean }> {
  const running = (await daemonStatus(context)) ?? (await reopenSocket(context));
  if (running) return { status: running, isNew: false };
  const { startDaemon } = await import('./start-daemon.js');
  await startDaemon(context, flags);
  const status = await daemonStatus(context);
  if (!status)
    throw new OrchdError('ORCHD_DAEMON_UNREACHABLE', `the daemon ended at once; see ${context.paths.logFile}`);
  return { status, isNew: true };
}

/**
 * Makes a call. If no daemon listens, starts one and calls again. A call that a daemon may have received is not
 * repeated.
 */
export async function callStarting<T>(context: Context, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isNotListening(error)) throw error;
  }
  await ensureDaemon(context);
  return await call();
}

function isNotListening(error: unknown): boolean {
  if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_UNREACHABLE') return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED');
}

/**
 * Ends a process and waits until it has ended. KILL also ends a stopped process.
 *
 * @param graceMs Milliseconds between TERM and KILL.
 */
export async function endProcess(pid: number, graceMs = GRACE_MS): Promise<void> {
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // ESRCH: the process has ended.
    }
  };
  send('SIGTERM');
  for (let waited = 0; waited < graceMs && isAlive(pid); waited += POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  if (isAlive(pid)) send('SIGKILL');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

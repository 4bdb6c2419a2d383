/** Starts the daemon when it is not there, and ends it when it no longer answers. */
import { OrchdError, type OutputOf } from '../protocol/index.js';
import type { Context } from './context.js';
import type { DaemonFlags } from './daemon-flags.js';
import { isAlive } from './is-alive.js';

export type Status = OutputOf<'daemon.status'>;

const POLL_MS = 20;
/** A daemon that did not answer for ten seconds is not waited for long. */
const SILENT_GRACE_MS = 500;

/**
 * @returns null when no daemon answers.
 * @throws {OrchdError} ORCHD_DAEMON_SILENT when one is there but does not answer; ORCHD_FILE when none can be.
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
 * The status of a daemon that answers. One that does not, because it is stopped or hangs, is ended: its sessions live
 * in the host, and the next daemon goes on where it was.
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
 * @param flags  For a daemon that is started now.
 * @returns      Its status, and whether it was started by this.
 * @throws {OrchdError} What the daemon said when it could not start.
 */
export async function ensureDaemon(
  context: Context,
  flags: DaemonFlags = {},
): Promise<{ status: Status; isNew: boolean }> {
  const running = await daemonStatus(context);
  if (running) return { status: running, isNew: false };
  const { startDaemon } = await import('./start-daemon.js');
  await startDaemon(context, flags);
  const status = await daemonStatus(context);
  if (!status)
    throw new OrchdError('ORCHD_DAEMON_UNREACHABLE', `the daemon ended at once; see ${context.paths.logFile}`);
  return { status, isNew: true };
}

/** Calls; where nobody listens, after a daemon was started. What a daemon may have taken is not called again. */
export async function callStarting<T>(context: Context, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isNobodyThere(error)) throw error;
  }
  await ensureDaemon(context);
  return await call();
}

function isNobodyThere(error: unknown): boolean {
  if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_UNREACHABLE') return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED');
}

/** Ends a process and waits until it has ended; KILL works on a stopped one too. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone.
    }
  };
  send('SIGTERM');
  for (let waited = 0; waited < graceMs && isAlive(pid); waited += POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  if (isAlive(pid)) send('SIGKILL');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

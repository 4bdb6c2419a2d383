/**
 * Ends the host and its sessions without a daemon. This is needed if no daemon can start (a damaged event log, a host
 * with another contract version), or if the starting one is to end too.
 *
 * Each session's end is recorded in its journal. The next daemon reads it there and writes the events.
 */
import { OrchdError } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import { endProcess } from './daemon-process.js';

const KILL_GRACE_MS = 3_000;
const HOST_GRACE_MS = 5_000;
/** A host that has not replied for this long is stopped (SIGSTOP) or stuck. */
const HOST_SILENT_MS = 15_000;

/**
 * @returns The number of ended sessions; null if no host answers.
 * @throws {OrchdError} ORCHD_HOST_UNREACHABLE if the host ends before it replies, ORCHD_DAEMON_SILENT if it does not
 *   reply.
 */
export async function stopHost({ paths }: Context): Promise<{ killed: number } | null> {
  const { connectHost } = await import('../../host/index.js');
  const host = await inTime(connectHost({ socketPath: paths.hostSocket, anyContract: true }), paths).catch((error) => {
    if (error instanceof OrchdError && error.code === 'ORCHD_HOST_UNREACHABLE') return null;
    throw error;
  });
  if (!host) return null;
  try {
    const { killed } = await inTime(host.call('shutdown', { graceMs: KILL_GRACE_MS }), paths);
    await endProcess(host.welcome.pid, HOST_GRACE_MS);
    return { killed };
  } finally {
    host.close();
  }
}

async function inTime<T>(reply: Promise<T>, { hostSocket }: Context['paths']): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<never>((_, reject) => {
    const message = `the host at ${hostSocket} does not answer: is its process stopped? \`kill -CONT\` lets it go on`;
    timer = setTimeout(() => reject(new OrchdError('ORCHD_DAEMON_SILENT', message)), HOST_SILENT_MS);
  });
  return Promise.race([reply, silent]).finally(() => clearTimeout(timer));
}

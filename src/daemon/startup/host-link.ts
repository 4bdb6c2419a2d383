/**
 * The daemon's connection to its host: finds the running one, or starts one.
 *
 * The daemon holds the database exclusively before this, so only one daemon starts a host at a time.
 */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { connectHost, type HostClient, type HostNotice } from '../../host/index.js';
import { OrchdError, type Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';

export interface HostLinkPorts {
  readonly paths: Paths;
  /** The host's program, run by this Node. */
  readonly hostFile: string;
  readonly log: Log;
  readonly onNotice: (notice: HostNotice) => void;
  readonly onClose: (reason: OrchdError) => void;
}

/** Number of connection attempts to a starting host before it counts as failed: 10 s in total. */
const TRIES = 200;
const TRY_MS = 50;

/**
 * @throws {OrchdError} ORCHD_HOST_UNREACHABLE if no host can be reached or started; ORCHD_HOST_CONTRACT if it is too
 *   old.
 */
export async function linkHost(ports: HostLinkPorts): Promise<HostClient> {
  const { hostSocket } = ports.paths;
  let isConnected = false;
  const onceConnected = (reason: OrchdError) => isConnected && ports.onClose(reason);
  const connect = async () => {
    const client = await connectHost({
      ...{ socketPath: hostSocket, onNotice: ports.onNotice, onClose: onceConnected },
      onRefused: (problem) => {
        const hasEnded = problem.code === 'ORCHD_SESSION_UNKNOWN' || problem.code === 'ORCHD_SESSION_ENDED';
        if (!hasEnded) ports.log.error('the host refused', problem);
      },
    });
    isConnected = true;
    return client;
  };
  try {
    return await connect();
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  startHost(ports);
  for (let i = 0; ; i++) {
    try {
      return await connect();
    } catch (error) {
      if (!isAbsent(error) || i === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRY_MS));
    }
  }
}

const isAbsent = (error: unknown): boolean => error instanceof OrchdError && error.code === 'ORCHD_HOST_UNREACHABLE';

/** Starts the host detached, so that it outlives the daemon. */
function startHost({ paths, hostFile, log }: HostLinkPorts): void {
  const output = openSync(paths.hostLogFile, 'a', 0o600);
  const args = ['--max-semi-space-size=1', hostFile, '--socket', paths.hostSocket, '--journals', paths.journalsDir];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', output, output], cwd: '/' });
  child.on('error', (error) => log.error('the host could not be started', error));
  child.unref();
  log.info('host started', { host_pid: child.pid });
}

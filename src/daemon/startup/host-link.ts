/**
 * Connects the daemon to its host: finds the running one, also if its socket was removed, or starts one. The daemon
 * holds the database exclusively before this, so only one daemon starts a host at a time. A command that ends, or that
 * has started no host after SCOPE_TRIES, is followed by the next one (host-command.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { userInfo } from 'node:os';
import {
  cgroupAccess,
  connectHost,
  type HostClient,
  type HostNotice,
  loadNative,
  reviveHost,
} from '../../host/index.js';
import { OrchdError, type Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';
import { type HostCommand, hostCommands } from './host-command.js';

interface HostLinkPorts {
  readonly paths: Paths;
  /** The host's program. It is run by the same Node as the daemon. */
  readonly hostFile: string;
  readonly log: Log;
  readonly onNotice: (notice: HostNotice) => void;
  readonly onClose: (reason: OrchdError) => void;
  /** Set by tests. Default: the commands that fit this machine. */
  readonly commands?: readonly HostCommand[];
}

/** Number of connection attempts to a starting host before it counts as failed: 10 s in total. */
const TRIES = 200;
const TRY_MS = 50;
/** Number of attempts with each command except the last one. */
const SCOPE_TRIES = 60;

/**
 * @throws {OrchdError} ORCHD_HOST_UNREACHABLE if no host can be reached or started; ORCHD_HOST_CONTRACT if it is too
 * old; ORCHD_NOT_COMPILED if it cannot open terminals.
 */
export async function linkHost(ports: HostLinkPorts): Promise<HostClient> {
  const { hostSocket } = ports.paths;
  let isConnected = false;
  const onceConnected = (reason: OrchdError) => isConnected && ports.onClose(reason);
  const connect = async () => {
    const client = await connectHost({
      socketPath: hostSocket,
      onNotice: ports.onNotice,
      onClose: onceConnected,
      onRefused: (problem) => {
        const hasEnded = problem.code === 'ORCHD_SESSION_UNKNOWN' || problem.code === 'ORCHD_SESSION_ENDED';
        if (!hasEnded) ports.log.error('the host refused', problem);
      },
    });
    isConnected = true;
    return client;
  };
  for (const prepare of [() => {}, () => reviveHost(hostSocket)]) {
    await prepare();
    try {
      return await connect();
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  const commands = ports.commands ?? commandsHere(ports);
  for (const [at, command] of commands.entries()) {
    const isLast = at === commands.length - 1;
    const child = startHost(ports, command);
    for (let i = 0; i < (isLast ? TRIES : SCOPE_TRIES); i++) {
      const hasEnded = child.pid === undefined || child.exitCode !== null;
      if (hasEnded && !isLast) break;
      if (hasEnded) loadNative(); // the host ends at once without the native module
      try {
        return await connect();
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      }
    }
    if (!isLast) child.kill('SIGKILL'); // This host has no session yet.
  }
  return await connect();
}

const isAbsent = (error: unknown): boolean => error instanceof OrchdError && error.code === 'ORCHD_HOST_UNREACHABLE';

function commandsHere({ paths, hostFile }: HostLinkPorts): readonly HostCommand[] {
  const args = ['--max-semi-space-size=1', hostFile, '--socket', paths.hostSocket, '--journals', paths.journalsDir];
  const around = { env: process.env, username: userInfo().username, cgroup: cgroupAccess() };
  return hostCommands({ file: process.execPath, args }, around);
}

/** Starts the host detached, so that it outlives the daemon. */
function startHost({ paths, log }: HostLinkPorts, { file, args }: HostCommand): ChildProcess {
  const output = openSync(paths.hostLogFile, 'a', 0o600);
  const child = spawn(file, args, { detached: true, stdio: ['ignore', output, output], cwd: '/' });
  closeSync(output);
  child.on('error', (error) => log.error('the host could not be started', error));
  child.unref();
  log.info('host started', { host_pid: child.pid });
  return child;
}

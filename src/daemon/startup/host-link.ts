/**
 * Connects the daemon to its host: finds the running one, also if its socket was removed, or starts one. The daemon
 * holds the database exclusively before this, so only one daemon starts a host at a time.
 *
 * There are several commands that start a host (host-command.ts). The next one is tried if a command ends, or has
 * started no host after SCOPE_TRIES. The last one is run again if its host ends as it starts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
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
/** Number of attempts after the host has ended: another one may be listening soon. */
const ENDED_TRIES = 20;
/** Number of times that the last command is run if its host ends. */
const STARTS = 2;

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
  let failure = '';
  for (const [at, command] of commands.entries()) {
    const isLast = at === commands.length - 1;
    // The kernel may end a host as it starts, for lack of memory.
    for (let start = 0; start < (isLast ? STARTS : 1); start++) {
      const { child, problem } = startHost(ports, command);
      const client = await awaitHost(child, isLast ? TRIES : SCOPE_TRIES, isLast ? ENDED_TRIES : 0, connect);
      if (client) return client;
      failure = problem();
      if (!isLast)
        child.kill('SIGKILL'); // This host has no session yet.
      else if (hasEnded(child))
        loadNative(); // the host ends at once without the native module
      else break;
    }
  }
  throw new OrchdError('ORCHD_HOST_UNREACHABLE', `the host did not start: ${failure}`);
}

/**
 * Connects as soon as the host listens. Returns null after `tries` attempts, or `endedTries` attempts after the host
 * has ended.
 */
async function awaitHost(
  child: ChildProcess,
  tries: number,
  endedTries: number,
  connect: () => Promise<HostClient>,
): Promise<HostClient | null> {
  for (let left = tries; left > 0; left--) {
    if (hasEnded(child)) left = Math.min(left, endedTries);
    if (left <= 0) break;
    try {
      return await connect();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await sleep(TRY_MS);
    }
  }
  return null;
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

const isAbsent = (error: unknown): boolean => error instanceof OrchdError && error.code === 'ORCHD_HOST_UNREACHABLE';

function commandsHere({ paths, hostFile }: HostLinkPorts): readonly HostCommand[] {
  const args = ['--max-semi-space-size=1', hostFile, '--socket', paths.hostSocket, '--journals', paths.journalsDir];
  const around = { env: process.env, username: userInfo().username, cgroup: cgroupAccess() };
  return hostCommands({ file: process.execPath, args }, around);
}

interface StartedHost {
  readonly child: ChildProcess;
  /** Returns why no connection to it was possible: how it ended, and the last line that it wrote. */
  problem(): string;
}

/** Starts the host detached, so that it outlives the daemon. */
function startHost({ paths, log }: HostLinkPorts, { file, args }: HostCommand): StartedHost {
  const output = openSync(paths.hostLogFile, 'a', 0o600);
  const logStart = fstatSync(output).size;
  const child = spawn(file, args, { detached: true, stdio: ['ignore', output, output], cwd: '/' });
  closeSync(output);
  let failure: Error | null = null;
  child.on('error', (error) => {
    failure = error;
    log.error('the host could not be started', error);
  });
  child.unref();
  log.info('host started', { host_pid: child.pid });
  const problem = () => {
    const end = child.signalCode ? `it was ended by ${child.signalCode}` : `it ended with code ${child.exitCode}`;
    const how = failure?.message ?? (hasEnded(child) ? end : `it does not listen after ${(TRIES * TRY_MS) / 1000} s`);
    const line = readFileSync(paths.hostLogFile).subarray(logStart).toString('utf8').trimEnd().split('\n').at(-1);
    return line ? `${how}; its last line is \`${line}\`` : how;
  };
  return { child, problem };
}

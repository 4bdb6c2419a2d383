/**
 * Where things are: from the environment, by the XDG rules; `ORCHD_HOME` puts everything, sockets included, under one
 * folder.
 */
import { OrchdError } from './errors.js';

export interface Paths {
  /** What clients connect to. */
  readonly socket: string;
  /** What the daemon connects to. */
  readonly hostSocket: string;
  readonly configFile: string;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly journalsDir: string;
  /** A folder for each living session whose agent writes down what it says. */
  readonly agentsDir: string;
  /** What runs that are not over need: their environments. */
  readonly runsDir: string;
  /** Which flags the installed agents know. */
  readonly agentFlagsFile: string;
  readonly logFile: string;
  readonly hostLogFile: string;
  readonly database: string;
  readonly tokenFile: string;
  /** The daemon's process id, for the case that it does not answer. */
  readonly pidFile: string;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  readonly tmpDir: string;
  readonly homeDir: string;
}

/** `sun_path` has 108 bytes, the last of which is a zero. */
export const MAX_SOCKET_PATH_BYTES = 107;

/** @throws {OrchdError} ORCHD_SOCKET_PATH when a socket's path would be too long. */
export function resolvePaths({ env, uid, tmpDir, homeDir }: Surroundings): Paths {
  const home = env['ORCHD_HOME'];
  const xdg = (name: string, fallback: string) => `${env[name] || `${homeDir}/${fallback}`}/orchd`;
  const configDir = home ? `${home}/config` : xdg('XDG_CONFIG_HOME', '.config');
  const dataDir = home ? `${home}/data` : xdg('XDG_DATA_HOME', '.local/share');
  const stateDir = home ? `${home}/state` : xdg('XDG_STATE_HOME', '.local/state');
  const runtime = env['XDG_RUNTIME_DIR'];
  const runtimeDir = home || (runtime ? `${runtime}/orchd` : `${tmpDir}/orchd-${uid}`);
  const socket = env['ORCHD_SOCKET'] || `${runtimeDir}/orchd.sock`;
  // Beside the clients' socket: one pair of processes for each socket path.
  const hostSocket = `${socket.replace(/\.sock$/, '')}-host.sock`;
  for (const path of [socket, hostSocket]) checkLength(path);
  return {
    socket,
    hostSocket,
    configFile: `${configDir}/config.toml`,
    dataDir,
    stateDir,
    journalsDir: `${stateDir}/journals`,
    agentsDir: `${stateDir}/agents`,
    runsDir: `${stateDir}/runs`,
    agentFlagsFile: `${stateDir}/agent-flags.json`,
    logFile: `${stateDir}/daemon.log`,
    hostLogFile: `${stateDir}/host.log`,
    database: `${dataDir}/orchd.sqlite`,
    tokenFile: `${dataDir}/token`,
    pidFile: `${stateDir}/daemon.pid`,
  };
}

/** What would be right, where something else is in the way of a directory. */
export const PLACE_ADVICE = 'give ORCHD_HOME a directory of your own, or the path of one that can be made';

/** What `lstat` says of a file, as far as it matters here. */
export interface Ownership {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Whether somebody else could replace the sockets in a directory, and so be given what is meant for the daemon.
 *
 * @param stat  Of `lstat`, which does not follow links.
 * @returns     What is wrong, in words; null when nothing is.
 */
export function directoryProblem(path: string, stat: Ownership, uid: number): string | null {
  if (!stat.isDirectory()) return `${path} is no directory`;
  if (stat.uid !== uid) return `${path} belongs to another user (uid ${stat.uid})`;
  return (stat.mode & WRITABLE_BY_OTHERS) === 0 ? null : `others can write to ${path}`;
}

function checkLength(path: string): void {
  if (path.length * 3 <= MAX_SOCKET_PATH_BYTES) return; // whatever it holds
  const bytes = utf8Length(path);
  if (bytes <= MAX_SOCKET_PATH_BYTES) return;
  throw new OrchdError('ORCHD_SOCKET_PATH', `the socket path ${path} has ${bytes} bytes`, { path, bytes });
}

/** A pure floor has no Buffer. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * The paths of orchd's files, from the environment, by the XDG rules. `ORCHD_HOME` puts everything, including sockets,
 * under one folder.
 */
import { OrchdError } from './errors.js';

export interface Paths {
  /** The socket for clients. */
  readonly socket: string;
  /** The host's socket for the daemon. */
  readonly hostSocket: string;
  readonly configFile: string;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly journalsDir: string;
  /** Contains a folder for each living session whose agent writes a transcript. */
  readonly agentsDir: string;
  /** The environments of unfinished runs. */
  readonly runsDir: string;
  /** The cached flags of the installed agents. */
  readonly agentFlagsFile: string;
  readonly logFile: string;
  readonly hostLogFile: string;
  readonly database: string;
  readonly tokenFile: string;
  /** The browsers that may use the dashboard. */
  readonly webDevicesFile: string;
  /** The hub that this machine has joined. */
  readonly hubFile: string;
  /** The seed of this machine's key for hubs. */
  readonly hubKeyFile: string;
  /** The public keys of the machines whose commands this one checks. */
  readonly hubKeysFile: string;
  /** The commands that were sent to other machines, and those of others that were carried out. */
  readonly hubCommandsFile: string;
  /** Answers that a person began in the TUI and did not send, one file for each item. */
  readonly draftsDir: string;
  /** The daemon's process id, used if the daemon does not answer. */
  readonly pidFile: string;
}

interface PathEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  readonly tmpDir: string;
  readonly homeDir: string;
}

/** `sun_path` has 108 bytes, including a final zero. */
export const MAX_SOCKET_PATH_BYTES = 107;

/**
 * @throws {OrchdError} ORCHD_SOCKET_PATH if a socket's path is too long, or is not absolute; ORCHD_FILE if ORCHD_HOME
 *   is not absolute: the daemon does not run where its caller does.
 */
export function resolvePaths({ env, uid, tmpDir, homeDir }: PathEnvironment): Paths {
  const home = env['ORCHD_HOME'];
  if (home && !home.startsWith('/'))
    throw new OrchdError('ORCHD_FILE', `ORCHD_HOME is '${home}'; it has to be an absolute path`);
  const xdg = (name: string, fallback: string) => `${env[name] || `${homeDir}/${fallback}`}/orchd`;
  const configDir = home ? `${home}/config` : xdg('XDG_CONFIG_HOME', '.config');
  const dataDir = home ? `${home}/data` : xdg('XDG_DATA_HOME', '.local/share');
  const stateDir = home ? `${home}/state` : xdg('XDG_STATE_HOME', '.local/state');
  const runtime = env['XDG_RUNTIME_DIR'];
  const runtimeDir = home || (runtime ? `${runtime}/orchd` : `${tmpDir}/orchd-${uid}`);
  const given = env['ORCHD_SOCKET'];
  if (given && !given.startsWith('/'))
    throw new OrchdError('ORCHD_SOCKET_PATH', `ORCHD_SOCKET is '${given}'; it has to be an absolute path`);
  const socket = given || `${runtimeDir}/orchd.sock`;
  // The host's socket is beside the clients' socket. Each socket path thereby has its own daemon and host.
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
    webDevicesFile: `${dataDir}/web-devices.json`,
    hubFile: `${dataDir}/hub.json`,
    hubKeyFile: `${dataDir}/hub.seed`,
    hubKeysFile: `${dataDir}/hub-keys.json`,
    hubCommandsFile: `${dataDir}/hub-commands.jsonl`,
    draftsDir: `${stateDir}/drafts`,
    pidFile: `${stateDir}/daemon.pid`,
  };
}

/** The advice if a part of a directory's path is not a directory. */
export const PLACE_ADVICE = 'give ORCHD_HOME a directory of your own, or the path of one that can be made';

/** The fields of `lstat` that are used here. */
interface Ownership {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Checks whether another user could replace the sockets in a directory, and so receive data meant for the daemon.
 *
 * @param stat From `lstat`, which does not follow links.
 * @returns A description of the problem; null if there is none.
 */
export function directoryProblem(path: string, stat: Ownership, uid: number): string | null {
  if (!stat.isDirectory()) return `${path} is not a directory`;
  if (stat.uid !== uid) return `${path} belongs to another user (uid ${stat.uid})`;
  return (stat.mode & WRITABLE_BY_OTHERS) === 0
    ? null
    : `others can write to ${path}; \`chmod go-w ${path}\` stops that`;
}

function checkLength(path: string): void {
  if (path.length * 3 <= MAX_SOCKET_PATH_BYTES) return; // short enough even with 3 bytes per character
  const bytes = utf8Length(path);
  if (bytes <= MAX_SOCKET_PATH_BYTES) return;
  throw new OrchdError('ORCHD_SOCKET_PATH', `the socket path ${path} has ${bytes} bytes`, { path, bytes });
}

/** Computed here, because pure code must not use Buffer. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

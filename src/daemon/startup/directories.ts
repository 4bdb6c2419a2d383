/**
 * Creates the missing folders of the daemon's home. Refuses a folder in which other users could replace the sockets,
 * and a path where a file of the wrong kind exists.
 */
import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../host/index.js';
import { directoryProblem, OrchdError, type Paths, PLACE_ADVICE } from '../../protocol/index.js';

const GUARD_FILES: readonly string[] = ['hearing', 'hearing-deaths'];

/**
 * @throws {OrchdError} ORCHD_FILE; ORCHD_SOCKET_PATH; ORCHD_SOCKET_DIRECTORY if other users could replace the sockets.
 */
export function makeDirectories(paths: Paths): void {
  const { dataDir, stateDir, journalsDir, socket, hostSocket } = paths;
  const socketDirs = [dirname(socket), dirname(hostSocket)];
  for (const dir of [dataDir, stateDir, journalsDir, ...socketDirs]) makeDirectory(dir);
  const insecure = socketDirs
    .map((dir) => directoryProblem(dir, lstatSync(dir), process.getuid?.() ?? 0))
    .find((problem) => problem !== null);
  if (insecure) throw new OrchdError('ORCHD_SOCKET_DIRECTORY', insecure);
  for (const path of [socket, hostSocket]) needSocketPlace(path);
  const { database, tokenFile, logFile, hostLogFile, pidFile, agentFlagsFile } = paths;
  const guards = GUARD_FILES.map((name) => join(stateDir, name));
  for (const log of [logFile, hostLogFile]) needFile(log, true);
  for (const file of [database, tokenFile, pidFile, agentFlagsFile, ...guards]) needFile(file, false);
}

/**
 * Checked before a host is started, which would go on without a daemon.
 * @throws {OrchdError} ORCHD_SOCKET_PATH
 */
function needSocketPlace(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isSocket()) return;
  throw new OrchdError('ORCHD_SOCKET_PATH', `${path} is there and is not a socket; it is left as it is`);
}

/**
 * Refuses a pipe, because opening it would block until another process opens its other end, and a device, because
 * reading it may never end. A log may be a device such as /dev/null.
 * @throws {OrchdError} ORCHD_FILE
 */
function needFile(path: string, mayBeDevice: boolean): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isFile() || (mayBeDevice && stat.isCharacterDevice())) return;
  throw new OrchdError('ORCHD_FILE', `${path} is not a regular file, and the daemon writes there; ${PLACE_ADVICE}`);
}

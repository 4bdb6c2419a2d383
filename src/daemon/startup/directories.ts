/**
 * The folders of the daemon's home: made where they are missing, refused where other users could replace the sockets.
 */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../../host/index.js';
import { directoryProblem, OrchdError, type Paths } from '../../protocol/index.js';

/** @throws {OrchdError} ORCHD_FILE; ORCHD_SOCKET_DIRECTORY if other users could replace the sockets. */
export function makeDirectories({ dataDir, stateDir, journalsDir, socket, hostSocket }: Paths): void {
  const socketDirs = [dirname(socket), dirname(hostSocket)];
  for (const dir of [dataDir, stateDir, journalsDir, ...socketDirs]) makeDirectory(dir);
  const insecure = socketDirs
    .map((dir) => directoryProblem(dir, lstatSync(dir), process.getuid?.() ?? 0))
    .find((problem) => problem !== null);
  if (insecure) throw new OrchdError('ORCHD_SOCKET_DIRECTORY', insecure);
}

/**
 * Takes the host's socket path, once per path: two hosts that start together never both get it.
 *
 * A lock (a directory beside the socket) protects the steps: look for a running host, remove a stale socket, bind.
 */
import { chmodSync, lstatSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { OrchdError } from '../protocol/errors.js';

/** A lock older than this was left by a process that died, because the steps under the lock take milliseconds. */
const STALE_LOCK_MS = 5000;
const LOCK_RETRY_MS = 20;
/** Maximum length of sockaddr_un, without the final NUL. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Binds with mode 0600.
 *
 * @throws {OrchdError} ORCHD_STORE_LOCKED if a live host listens at the path; ORCHD_SOCKET_PATH if the path is too long
 *   or is not a socket.
 */
export async function bindSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new OrchdError('ORCHD_SOCKET_PATH', `the socket path ${path} is longer than ${MAX_PATH_BYTES} bytes`);
  }
  const lock = `${path}.lock`;
  await takeLock(lock);
  try {
    if (await isLive(path)) throw new OrchdError('ORCHD_STORE_LOCKED', `another host listens at ${path}`, { path });
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat && !stat.isSocket())
      throw new OrchdError('ORCHD_SOCKET_PATH', `${path} is there and is not a socket; it is left as it is`);
    rmSync(path, { force: true });
    await listen(server, path);
    chmodSync(path, 0o600);
  } finally {
    rmdirSync(lock);
  }
}

/** @throws {OrchdError} ORCHD_SOCKET_PATH if something else than a lock has its name. */
async function takeLock(lock: string, now = Date.now, ranMs = () => performance.now()): Promise<void> {
  const deadline = ranMs() + STALE_LOCK_MS;
  for (;;) {
    try {
      mkdirSync(lock, { mode: 0o700 });
      return;
    } catch (cause) {
      if (!isCode(cause, 'EEXIST')) throw cause;
    }
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? now();
    // After the clock was set back, the time of a stale lock may be in the future.
    if (Math.abs(now() - since) > STALE_LOCK_MS || ranMs() > deadline) removeLock(lock);
    await new Promise((done) => setTimeout(done, LOCK_RETRY_MS));
  }
}

function removeLock(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return; // Its owner, or another process that waits, has removed it.
    throw new OrchdError('ORCHD_SOCKET_PATH', `${lock} is there and is not an empty directory; it is left as it is`);
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code;

function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The umask denies access to other users in the moment between bind and chmod.
    const umask = process.umask(0o177);
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      resolve();
    });
    process.umask(umask);
  });
}

/**
 * Reads a small text file that a person, or a project from elsewhere, has written.
 *
 * Opening a pipe would wait for its writer, and a device may never end, so both are refused without being read.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { errorMessage, OrchdError } from '../../protocol/errors.js';

/**
 * Reads a file that orchd itself has written, of any size.
 *
 * @throws {OrchdError} ORCHD_FILE if something else is in its place.
 * @throws {NodeJS.ErrnoException} if it cannot be read.
 */
export function readOwnFile(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new OrchdError('ORCHD_FILE', `${path} is not a regular file`, { path });
    return readFileSync(fd, encoding);
  } finally {
    closeSync(fd);
  }
}

/** @throws {OrchdError} ORCHD_FILE if the path is not a regular file, has more than `maxBytes`, or cannot be read. */
export function readRegularFile(path: string, maxBytes: number): string {
  const refuse = (why: string, cause?: unknown): OrchdError =>
    new OrchdError('ORCHD_FILE', `${path} ${why}`, { path }, cause);
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw refuse('is not a regular file');
    if (stat.size > maxBytes) throw refuse(`has more than ${maxBytes / 1024} KiB`);
    return readFileSync(fd, 'utf8');
  } catch (error) {
    if (error instanceof OrchdError) throw error;
    throw refuse(`cannot be read: ${errorMessage(error)}`, error);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/**
 * Disk watch: measures the free space on the disk of the state folder, and the free inodes, which limit the number of
 * files.
 *
 *     full   the store could not commit, or less than FULL_DISK_BYTES are free
 *     low    less than the floor is free: `retention.min_free`, and at most FLOOR_SHARE of the disk
 *     ok     everything else
 *
 * The same for inodes (`files`): full below FULL_FILES, low below LOW_FILES and at most FLOOR_SHARE of all.
 */
import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { type DiskReport, errorMessage, FULL_DISK_BYTES, OrchdError } from '../../protocol/index.js';
import type { Outbox } from '../events/index.js';

interface DiskWatchPorts {
  /** The folder of the journals. */
  readonly path: string;
  readonly outbox: Pick<Outbox, 'isFull'>;
  /** Setting `retention.min_free`, in bytes. 0: no floor. */
  readonly minFreeBytes: number;
  readonly space?: (path: string) => Space | null;
}

interface Space {
  /** The space available to unprivileged programs. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Number of files that can still be created. */
  readonly freeFiles: number;
  /** Maximum number of files; 0 if the file system has no limit. */
  readonly totalFiles: number;
}

const UNKNOWN: Space = { freeBytes: Number.MAX_SAFE_INTEGER, totalBytes: 0, freeFiles: 0, totalFiles: 0 };

export interface DiskWatch {
  report(): DiskReport;
  /** Sets the number of sessions that are paused until there is space. */
  setPaused(count: number): void;
}

/** A session needs several open files. */
const FULL_FILES = 16;
const LOW_FILES = 1_000;
/** Maximum share of the disk: on a small disk the floor is smaller than configured. */
const FLOOR_SHARE = 0.05;

/**
 * Creates the watch of the disk that holds the state folder.
 *
 * @param space  Measures the free space and inodes. Default: the file system's own numbers.
 */
export function createDiskWatch({ path, outbox, minFreeBytes, space = spaceOf }: DiskWatchPorts): DiskWatch {
  let paused = 0;
  return {
    report() {
      const { freeBytes, totalBytes, freeFiles, totalFiles } = space(path) ?? UNKNOWN;
      const floor = Math.min(minFreeBytes, Math.floor(totalBytes * FLOOR_SHARE));
      const isFull = outbox.isFull || freeBytes < FULL_DISK_BYTES;
      const state = isFull ? 'full' : freeBytes < floor ? 'low' : 'ok';
      const isLow = freeFiles < Math.min(LOW_FILES, totalFiles * FLOOR_SHARE);
      const filesState = freeFiles < FULL_FILES ? 'full' : isLow ? 'low' : 'ok';
      const files = totalFiles > 0 && { files: { state: filesState, free: freeFiles } as const };
      return { state, path, free_bytes: freeBytes, floor_bytes: floor, paused, ...files };
    },
    setPaused(count) {
      paused = count;
    },
  };
}

/** Returns null if the system does not report it. */
function spaceOf(path: string): Space | null {
  try {
    const { bavail, blocks, bsize, ffree, files } = statfsSync(path);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: ffree, totalFiles: files };
  } catch {
    return null;
  }
}

/** Explanations of the system's errors for a disk that cannot be written. */
const DISK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'is full: free space there',
  'no inodes': 'is full of files (no free inodes): remove some there',
  EDQUOT: 'is full for you (your quota): free space there',
  EROFS: 'is read-only: make it writable',
  EIO: 'fails (an I/O error): see the log of the system',
};

/** If an error was caused by a full disk, returns an error that says so. Returns any other error unchanged. */
export function namingFullDisk(error: unknown, path: string): unknown {
  const { freeBytes, freeFiles, totalFiles } = spaceOf(path) ?? UNKNOWN;
  const cause = freeBytes < FULL_DISK_BYTES ? 'ENOSPC' : systemCodeOf(error);
  const lacksFiles = cause === 'ENOSPC' && freeBytes >= FULL_DISK_BYTES && totalFiles > 0 && freeFiles < FULL_FILES;
  const problem = DISK_PROBLEMS[lacksFiles ? 'no inodes' : cause];
  if (problem === undefined) return error;
  const why = errorMessage(error);
  const message = `the disk of ${path} ${problem}, then \`orchd start\` (${why})`;
  const code = /full/.test(problem) ? 'ORCHD_STORE_FULL' : 'ORCHD_FILE';
  return new OrchdError(code, message, { path }, error);
}

/** Node has no name for EDQUOT. */
function systemCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return 'EDQUOT';
  return 'code' in error ? String(error.code) : '';
}

/**
 * Disk watch: measures the free space on the disk of the state folder.
 *
 *     full   the store could not commit, or less than FULL_BYTES are free
 *     low    less than the floor is free: `retention.min_free`, and at most FLOOR_SHARE of the disk
 *     ok     everything else
 */
import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { type DiskReport, OrchdError } from '../../protocol/index.js';
import type { Outbox } from '../events/index.js';

export interface DiskWatchPorts {
  /** The folder of the journals. */
  readonly path: string;
  readonly outbox: Pick<Outbox, 'isFull'>;
  /** Setting `retention.min_free`, in bytes. 0: no floor. */
  readonly minFreeBytes: number;
  readonly space?: (path: string) => Space | null;
}

export interface Space {
  /** The space available to unprivileged programs. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface DiskWatch {
  report(): DiskReport;
  /** Sets the number of sessions that are paused until there is space. */
  setPaused(count: number): void;
}

/** With less free space, neither SQLite nor a journal can be written. */
export const FULL_BYTES = 64 * 1024;
/** Maximum share of the disk: on a small disk the floor is smaller than configured. */
const FLOOR_SHARE = 0.05;

export function createDiskWatch({ path, outbox, minFreeBytes, space = spaceOf }: DiskWatchPorts): DiskWatch {
  let paused = 0;
  return {
    report() {
      const { freeBytes, totalBytes } = space(path) ?? { freeBytes: Number.MAX_SAFE_INTEGER, totalBytes: 0 };
      const floor = Math.min(minFreeBytes, Math.floor(totalBytes * FLOOR_SHARE));
      const isFull = outbox.isFull || freeBytes < FULL_BYTES;
      const state = isFull ? 'full' : freeBytes < floor ? 'low' : 'ok';
      return { state, path, free_bytes: freeBytes, floor_bytes: floor, paused };
    },
    setPaused(count) {
      paused = count;
    },
  };
}

/** Returns null if the system does not report it. */
export function spaceOf(path: string): Space | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Explanations of the system's errors for a disk that cannot be written. */
const DISK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'is full: free space there',
  EDQUOT: 'is full for you (your quota): free space there',
  EROFS: 'is read-only: make it writable',
  EIO: 'fails (an I/O error): see the log of the system',
};

/** Names the disk as the cause of an error that came from it. Any other error stays as it is. */
export function namingFullDisk(error: unknown, path: string): unknown {
  const isFull = (spaceOf(path)?.freeBytes ?? FULL_BYTES) < FULL_BYTES;
  const problem = DISK_PROBLEMS[isFull ? 'ENOSPC' : systemCodeOf(error)];
  if (problem === undefined) return error;
  const why = error instanceof Error ? error.message : String(error);
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

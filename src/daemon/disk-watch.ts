/**
 * Disk watch: measures the free space on the disk of the state folder.
 *
 *     full   the store could not commit, or less than FULL_BYTES are free
 *     low    less than the floor is free: `retention.min_free`, and at most FLOOR_SHARE of the disk
 *     ok     everything else
 */
import { statfsSync } from 'node:fs';
import { type DiskReport, OrchdError } from '../protocol/index.js';
import type { Outbox } from './outbox.js';

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

/** With less, neither SQLite nor a journal can work. */
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

/** Returns an error that names the full disk if it caused the given error; any other error is returned unchanged. */
export function namingFullDisk(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || (spaceOf(path)?.freeBytes ?? FULL_BYTES) < FULL_BYTES;
  if (!isFull) return error;
  const why = error instanceof Error ? error.message : String(error);
  const message = `the disk of ${path} is full: free space there, then \`orchd start\` (${why})`;
  return new OrchdError('ORCHD_STORE_FULL', message, { path }, error);
}

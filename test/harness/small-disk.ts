/**
 * A disk of a few megabytes that can be filled: a tmpfs. Only root may mount one, and some containers do not allow it.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /**
   * Fills the disk, except for this many bytes (default: 0), which are free at all times: a disk that is full for an
   * instant already stops the hosts that write to it. The next call also fills space that was freed meanwhile.
   */
  fill(leftBytes?: number): void;
  /** Frees the space that `fill` has used. */
  free(): void;
  remount(options: string): void;
  close(): void;
}

const FILL_BYTES = 4096;

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/**
 * Returns null if this machine does not allow mounting.
 * @param inodes  Limit of the number of files; without it, there is none that matters.
 * @param path    The directory to mount it at, which must be empty.
 */
export function mountSmallDisk(
  megabytes: number,
  { inodes = 1_000_000, path = mkdtempSync(join(tmpdir(), 'orchd-disk-')) } = {},
): SmallDisk | null {
  const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
  if (
    process.platform !== 'linux' ||
    !mount('-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${inodes},mode=700`, 'tmpfs', path)
  ) {
    rmdirSync(path);
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill(leftBytes = 0) {
      const fd = openSync(filler, 'a');
      const bytes = Buffer.alloc(FILL_BYTES);
      try {
        while (leftBytes === 0 || freeBytes(path) > leftBytes) writeSync(fd, bytes);
      } catch {
        // The disk is full.
      }
      closeSync(fd);
    },
    free: () => rmSync(filler, { force: true }),
    remount: (options) => void mount('-o', `remount,${options}`, path),
    close() {
      spawnSync('umount', ['-l', path], { stdio: 'ignore' });
      rmSync(path, { recursive: true, force: true });
    },
  };
}

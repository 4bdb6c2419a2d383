/** A disk of a few megabytes, which can be filled: a tmpfs. Only root may mount one, and not in every container. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /**
   * Fills the disk, except for this many bytes (default: 0). The next call also fills space that was freed meanwhile.
   */
  fill(leftBytes?: number): void;
  /** Takes back what `fill` took. */
  free(): void;
  remount(options: string): void;
  close(): void;
}

const FILL_BYTES = 4096;

/** Returns null if this machine does not let us mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'orchd-disk-'));
  const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
  if (process.platform !== 'linux' || !mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path)) {
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
        for (;;) writeSync(fd, bytes);
      } catch {
        // It is full.
      }
      closeSync(fd);
      if (leftBytes > 0) truncateSync(filler, statSync(filler).size - leftBytes);
    },
    free: () => rmSync(filler, { force: true }),
    remount: (options) => void mount('-o', `remount,${options}`, path),
    close() {
      spawnSync('umount', ['-l', path], { stdio: 'ignore' });
      rmSync(path, { recursive: true, force: true });
    },
  };
}

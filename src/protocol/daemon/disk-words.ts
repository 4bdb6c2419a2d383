/** Describes low or missing disk space, in the same words in the CLI and the TUI. */
import type { DaemonStatusOutput } from '../generated/types.js';

export type DiskReport = NonNullable<DaemonStatusOutput['disk']>;

/** With more free space than this, a disk that cannot be written has another problem than a lack of space. */
const FULL_BYTES = 1_000_000;

/** True if nothing can be written, or no file can be created. */
export const isDiskFull = (disk: DiskReport | undefined): boolean =>
  disk?.state === 'full' || disk?.files?.state === 'full';

/** Returns one line, or null while there is enough space. */
export function diskWords(disk: DiskReport | undefined): string | null {
  if (!disk) return null;
  if (disk.state === 'ok') return fileWords(disk);
  if (disk.state === 'full' && disk.free_bytes > FULL_BYTES) {
    const why = `though ${bytesText(disk.free_bytes)} are free: it is read-only, over a quota, or fails`;
    return `the disk of ${disk.path} cannot be written, ${why}. New questions, answers and output wait`;
  }
  if (disk.state === 'full') {
    return (
      `the disk of ${disk.path} is full: new questions, answers and output wait. Free space there; orchd goes ` +
      'on by itself'
    );
  }
  const paused =
    disk.paused === 0
      ? ''
      : `; ${disk.paused === 1 ? '1 session that prints most waits' : `${disk.paused} sessions that print most wait`}`;
  return (
    `the disk of ${disk.path} has ${bytesText(disk.free_bytes)} left (retention.min_free)${paused}. Free space ` +
    `there, or \`orchd prune\``
  );
}

function fileWords({ path, files }: DiskReport): string | null {
  if (!files || files.state === 'ok') return null;
  if (files.state === 'low')
    return `the disk of ${path} has room for ${files.free} more files (inodes): remove some there`;
  return `the disk of ${path} is full of files (no free inodes): no session can be started. Remove files there`;
}

/** Returns `12 MB`, and while the journal grows fast `12 MB, 8.0 MB/s`. */
export function journalWords({ bytes, bytes_per_second: rate }: JournalSize): string {
  return rate < SHOWN_RATE ? bytesText(bytes) : `${bytesText(bytes)}, ${bytesText(rate)}/s`;
}

export type JournalSize = Pick<NonNullable<DaemonStatusOutput['journals']>[number], 'bytes' | 'bytes_per_second'>;

/** Minimum rate, in bytes per second, that is shown. It helps a person find the program that fills the disk. */
const SHOWN_RATE = 1000;

/** `8 MB`, `1.5 GB`: at most three digits, in powers of 1000. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let at = 0;
  while (value >= 999.5 && at < units.length - 1) {
    value /= 1000;
    at++;
  }
  const digits = at === 0 || value >= 9.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[at]}`;
}

/**
 * Finds the names of a program that runs under another one, such as a shell that was copied, linked or started with
 * another first argument.
 *
 * In:   the pid of a process.
 * Out:  the name of its executable file, and of an installed program with the same content.
 *
 * The installed programs are those in the folders of PATH and in /etc/shells. Processes are read from /proc. A folder
 * is read again only if it has changed: to read all of them takes several milliseconds, in which the daemon does nothing
 * else.
 */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Folders of programs that PATH may lack. */
const FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
/** Number and size of the parts that are compared of two files of the same size. */
const PARTS = 16;
const PART_BYTES = 4_096;
const DELETED = / \(deleted\)$/;
/** A folder may change again within the same tick of the clock of its file system. */
const TICK_MS = 2_000;

/** The names in a folder, as of its last change. */
interface Listing {
  readonly changedAt: number;
  readonly names: readonly string[];
}

const listings = new Map<string, Listing>();

/**
 * @param isWanted  True for the name of a program that the caller looks for. Only such programs are compared.
 * @returns The names; none if the process has ended or belongs to another user.
 */
export function trueNames(pid: number, isWanted: (name: string) => boolean): string[] {
  try {
    const path = `/proc/${pid}/exe`;
    const name = basename(readlinkSync(path).replace(DELETED, ''));
    if (isWanted(name)) return [name];
    const about = statSync(path);
    const twin = installed(isWanted).find((file) => isSame(path, about, file));
    return twin === undefined ? [name] : [name, basename(twin)];
  } catch {
    return [];
  }
}

/** Returns the paths of installed programs with such a name. */
function installed(isWanted: (name: string) => boolean): string[] {
  const folders = new Set([...(process.env['PATH'] ?? '').split(':').filter(Boolean), ...FOLDERS]);
  const found = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter(isWanted)
      .map((name) => join(folder, name)),
  );
  return [...new Set([...shellsOfSystem().filter((path) => isWanted(basename(path))), ...found])];
}

function namesIn(folder: string): readonly string[] {
  try {
    const { ctimeMs: changedAt } = statSync(folder);
    const known = listings.get(folder);
    if (known?.changedAt === changedAt) return known.names;
    const now = Date.now();
    const names = readdirSync(folder);
    if (now - changedAt > TICK_MS) listings.set(folder, { changedAt, names });
    return names;
  } catch {
    return []; // It does not exist.
  }
}

function shellsOfSystem(): string[] {
  try {
    return readFileSync('/etc/shells', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('/'));
  } catch {
    return [];
  }
}

/** True if both files are one, or have the same size and the same content in all parts that are compared. */
function isSame(path: string, about: Stats, other: string): boolean {
  try {
    const there = statSync(other);
    if (there.ino === about.ino && there.dev === about.dev) return true;
    if (there.size !== about.size || there.size === 0 || !there.isFile()) return false;
    return partsOf(path, about.size).equals(partsOf(other, about.size));
  } catch {
    return false; // It is a link to nothing.
  }
}

/** Returns parts of a file from its beginning to its end. */
function partsOf(path: string, size: number): Buffer {
  const all = Buffer.alloc(PARTS * PART_BYTES);
  const file = openSync(path, 'r');
  try {
    const step = Math.max(0, size - PART_BYTES) / (PARTS - 1);
    for (let part = 0; part < PARTS; part++)
      readSync(file, all, part * PART_BYTES, PART_BYTES, Math.floor(part * step));
    return all;
  } finally {
    closeSync(file);
  }
}

/**
 * Finds the transcript of an agent that chooses the file's name itself: among the files that its processes hold open,
 * otherwise by the first line.
 */
import { closeSync, constants, openSync, readdirSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { TranscriptSource } from '../../session/index.js';

type Newest = Extract<TranscriptSource, { kind: 'newest' }>;
type Next = Extract<TranscriptSource, { kind: 'next' }>;

/** Maximum number of folders to search, and of names to try in each. */
const MAX_FOLDERS = 500;
/**
 * Maximum number of recently changed conversations to search, and of bytes to read in each: a new one begins with its
 * first prompt.
 */
const MAX_NEXT = 20;
const NEXT_BYTES = 1024 * 1024;
/** Number of date folders to search: today's, and yesterday's for sessions around midnight. */
const RECENT = 2;
/** Maximum length of the first line, which identifies the session. */
const FIRST_LINE_BYTES = 256 * 1024;
/** True if the system tells which files a process holds open. */
const TELLS_OPEN = process.platform === 'linux';

/**
 * @param pid The session's program; its children are included.
 * @param since Milliseconds since the epoch: files last changed before are ignored.
 * @param isTaken Returns true for a file of another session, and for a known one.
 * @param hasFirst True if a file was found before: another one must then be held open.
 */
export function findFiles(
  source: Newest,
  pid: number,
  since: number,
  isTaken: (path: string) => boolean,
  hasFirst: boolean,
): string[] {
  const open = openFiles(pid, source).filter((path) => !isTaken(path));
  const found = open.filter((path) => source.isOurs(firstLine(path), true));
  if (found.length > 0 || hasFirst) return found;
  const isOurs = (path: string) =>
    writtenAt(path) >= since && source.isOurs(firstLine(path), TELLS_OPEN ? false : null);
  const first = listFiles(source).find((path) => !isTaken(path) && isOurs(path));
  return first === undefined ? [] : [first];
}

/**
 * Finds the file in which a conversation continues.
 *
 * @param isIt Checks the text that the file contains so far.
 * @returns Null if no file matches or several do: the session's file is then unknown.
 */
export function findNext(
  source: Next,
  since: number,
  isTaken: (path: string) => boolean,
  isIt: (path: string, text: string) => boolean,
): string | null {
  const written = listFiles({ ...source, isByDate: false }).filter(
    (path) => !isTaken(path) && writtenAt(path) >= since,
  );
  const found = written.slice(0, MAX_NEXT).filter((path) => isIt(path, content(path, NEXT_BYTES)));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/**
 * Checks if a file, which need not exist yet, is in a folder, with all links resolved.
 *
 * @param path The result is false unless the path is absolute.
 * @param folder From the agent's environment: absolute, or relative to `cwd`.
 */
export function isBelow(path: string, folder: string, cwd: string): boolean {
  if (!isAbsolute(path)) return false;
  return realOrPlanned(path).startsWith(`${realOrPlanned(resolve(cwd, folder))}/`);
}

/** Resolves links in the existing part of a path. */
function realOrPlanned(path: string): string {
  const full = resolve(path);
  const known = attempt(() => realpathSync(full), null);
  if (known !== null || full === dirname(full)) return known ?? full;
  // A dangling link counts as its target path.
  const target = link(full);
  return target === '' ? join(realOrPlanned(dirname(full)), basename(full)) : resolve(dirname(full), target);
}

/** Returns the files of the source that a process or its children hold open. */
function openFiles(pid: number, source: Newest): string[] {
  if (!TELLS_OPEN) return [];
  const dir = real(source.dir);
  const files = processesOf(pid).flatMap((one) => listed(`/proc/${one}/fd`).map((fd) => link(`/proc/${one}/fd/${fd}`)));
  const fits = (path: string) => path.startsWith(`${dir}/`) && source.name.test(basename(path));
  return [...new Set(files)].filter(fits);
}

/** Returns a process and all its descendants. */
function processesOf(pid: number): number[] {
  const found = [pid];
  for (let i = 0; i < found.length && found.length < MAX_FOLDERS; i++) {
    for (const task of listed(`/proc/${found[i]}/task`)) {
      const children = content(`/proc/${found[i]}/task/${task}/children`, FIRST_LINE_BYTES);
      found.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return found;
}

/** Returns the files of a source, the most recently changed first. */
function listFiles({ dir, depth, isByDate, name }: Omit<Newest, 'kind' | 'isOurs'>): string[] {
  let folders = [dir];
  for (let level = 0; level < depth; level++) {
    folders = folders
      .flatMap((folder) => {
        const names = listed(folder).sort().reverse();
        return (isByDate ? names.slice(0, RECENT) : names).map((one) => join(folder, one));
      })
      .slice(0, MAX_FOLDERS);
  }
  const files = folders.flatMap((folder) =>
    listed(folder)
      .filter((one) => name.test(one))
      .map((one) => join(folder, one)),
  );
  return files.sort((a, b) => writtenAt(b) - writtenAt(a));
}

function firstLine(path: string): string {
  const head = content(path, FIRST_LINE_BYTES);
  const end = head.indexOf('\n');
  return end < 0 ? head : head.slice(0, end);
}

function content(path: string, bytes: number): string {
  try {
    // O_NONBLOCK, because opening a FIFO without a writer would block the daemon.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, bytes, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

const listed = (folder: string): string[] => attempt(() => readdirSync(folder), []);
const link = (path: string): string => attempt(() => readlinkSync(path), '');
const real = (path: string): string => attempt(() => realpathSync(path), path);
const writtenAt = (path: string): number => attempt(() => statSync(path).mtimeMs, 0);

/** Treats missing and unreadable files as absent. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

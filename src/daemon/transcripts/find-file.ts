/** Finds the file of an agent that chooses its name itself: by what its processes hold open, else by its first line; and where one lies. */
import { closeSync, constants, openSync, readdirSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { TranscriptSource } from '../../session/index.js';

type Newest = Extract<TranscriptSource, { kind: 'newest' }>;
type Next = Extract<TranscriptSource, { kind: 'next' }>;

/** Folders looked into at most, and the names that are tried of each. */
const MAX_FOLDERS = 500;
/** Conversations that were written to lately and are looked into, and how far: the first prompt of a new one stands at its beginning. */
const MAX_NEXT = 20;
const NEXT_BYTES = 1024 * 1024;
/** Of folders that are named by date: today's, and yesterday's around midnight. */
const RECENT = 2;
/** The first line says whose it is within so much. */
const FIRST_LINE_BYTES = 256 * 1024;
/** Whether the system tells which files a process holds open. */
const TELLS_OPEN = process.platform === 'linux';

/**
 * @param pid       The session's program; what it has started counts as well.
 * @param since     Milliseconds since the epoch: a file that was not written to since is not it.
 * @param isTaken   Another session's, or known already.
 * @param hasFirst  One was found before: another one is ours only if it is held open.
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
 * Finds the file in which a conversation goes on.
 *
 * @param isIt  Asks about its text, as far as it is there.
 * @returns     Null if none fits, or several: nothing tells then which is the session's.
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
 * Whether a file, which need not exist yet, lies below a folder, wherever links lead.
 *
 * @param path    Absolute, or it does not.
 * @param folder  As the agent's environment says it: absolute, or from `cwd`.
 */
export function isBelow(path: string, folder: string, cwd: string): boolean {
  if (!isAbsolute(path)) return false;
  return realOrPlanned(path).startsWith(`${realOrPlanned(resolve(cwd, folder))}/`);
}

/** Where a path leads: the part of it that exists by its links. */
function realOrPlanned(path: string): string {
  const full = resolve(path);
  const known = attempt(() => realpathSync(full), null);
  if (known !== null || full === dirname(full)) return known ?? full;
  // A link that leads nowhere yet may lead anywhere: it counts as where it points.
  const target = link(full);
  return target === '' ? join(realOrPlanned(dirname(full)), basename(full)) : resolve(dirname(full), target);
}

/** Files of the source that a process, or one that it has started, holds open. */
function openFiles(pid: number, source: Newest): string[] {
  if (!TELLS_OPEN) return [];
  const dir = real(source.dir);
  const files = processesOf(pid).flatMap((one) => listed(`/proc/${one}/fd`).map((fd) => link(`/proc/${one}/fd/${fd}`)));
  const fits = (path: string) => path.startsWith(`${dir}/`) && source.name.test(basename(path));
  return [...new Set(files)].filter(fits);
}

/** A process and all below it. */
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

/** The files of a source, those that were written to last first. */
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
    // A pipe without a writer would hold up the whole daemon.
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

/** What is gone, or not ours to look at, is not there. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

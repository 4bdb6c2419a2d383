/**
 * The store's file as it lies on disk: its schema version, and the backups that migrations made beside it.
 *
 *   orchd.sqlite              the store
 *   orchd.sqlite.v4.backup    the store as it was before it was migrated from version 4 (0600)
 *   orchd.sqlite.damaged      rows that the last start with damaged rows set aside, one JSON object a line
 *
 * Reads bytes and opens no database, so that an upgrade can look while the daemon has the file. Nothing here writes.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OrchdError } from '../protocol/index.js';
import { MIGRATIONS } from './migrations.js';

export const APPLICATION_ID = 0x6f726368;
/** Ending of the file with damaged rows. */
export const DAMAGED = '.damaged';
/** Free space that a migration needs beside its backup. */
const MIGRATION_BYTES = 16 * 1024 * 1024;

/** Offsets in a database file and in its WAL: https://sqlite.org/fileformat2.html */
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const WAL_HEADER_BYTES = 32;
const WAL_PAGE_SIZE_AT = 8;
const FRAME_HEADER_BYTES = 24;

export interface StoreBackup {
  readonly path: string;
  /** The schema version of the store in it. */
  readonly version: number;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
}

export const backupPath = (path: string, version: number): string => `${path}.v${version}.backup`;

/** Returns the backups beside a store, newest first. */
export function listBackups(path: string): StoreBackup[] {
  const dir = dirname(path);
  if (!existsSync(dir)) return [];
  const prefix = `${basename(path)}.v`;
  return readdirSync(dir)
    .filter((name) => name.startsWith(prefix) && /^\d+\.backup$/.test(name.slice(prefix.length)))
    .map((name) => {
      const { size, mtimeMs } = statSync(join(dir, name));
      return {
        path: join(dir, name),
        version: Number.parseInt(name.slice(prefix.length), 10),
        bytes: size,
        madeAt: mtimeMs,
      };
    })
    .sort((a, b) => b.madeAt - a.madeAt);
}

/**
 * Checks that this orchd can use a store, without opening or changing it. A daemon may have it open.
 *
 * @throws {OrchdError} ORCHD_STORE_NEWER if a newer orchd wrote it; ORCHD_STORE_FULL if it needs a migration and there
 *   is no space for the backup.
 */
export function checkUpgrade(path: string): void {
  const version = storeVersion(path);
  if (version === null) return;
  if (version > MIGRATIONS.length) throw new OrchdError('ORCHD_STORE_NEWER', newerSentence(path, version));
  const problem = version < MIGRATIONS.length ? spaceProblem(path) : null;
  if (problem !== null) throw new OrchdError('ORCHD_STORE_FULL', problem);
}

export const newerSentence = (path: string, version: number): string => {
  const backups = listBackups(path).filter((backup) => backup.version <= MIGRATIONS.length);
  const backup = backups[0] ? `; ${backups[0].path} is the store as it was before` : '';
  return `${path} has version ${version}; this orchd knows up to ${MIGRATIONS.length}${backup}`;
};

/** Returns why there is too little space to migrate a store; null if there is enough. */
export function spaceProblem(path: string): string | null {
  const { bavail, bsize } = statfsSync(dirname(path));
  const needed = sizeOf(path) + sizeOf(`${path}-wal`) + MIGRATION_BYTES;
  const free = bavail * bsize;
  if (free >= needed) return null;
  return (
    `${path} must be migrated, and its backup needs ${megabytes(needed)} in ${dirname(path)}, ` +
    `which has ${megabytes(free)} free; the store is left as it is`
  );
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Returns the schema version of a store; null if there is no store, or if the file is not a store of orchd. */
export function storeVersion(path: string): number | null {
  const file = versionAt(path, 0);
  const logged = versionsInWal(`${path}-wal`);
  const known = [file, ...logged].filter((version) => version !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** The WAL may contain a newer form of the first page. Versions only grow. */
function versionsInWal(path: string): (number | null)[] {
  const size = sizeOf(path);
  const pageBytes = size < WAL_HEADER_BYTES ? 0 : readAt(path, 0, WAL_HEADER_BYTES).readUInt32BE(WAL_PAGE_SIZE_AT);
  if (pageBytes < 512) return [];
  const versions: (number | null)[] = [];
  for (let at = WAL_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= size; at += FRAME_HEADER_BYTES + pageBytes) {
    const page = readAt(path, at, 4).readUInt32BE(0);
    if (page === 1) versions.push(versionAt(path, at + FRAME_HEADER_BYTES));
  }
  return versions;
}

function versionAt(path: string, at: number): number | null {
  if (sizeOf(path) < at + HEADER_BYTES) return null;
  const header = readAt(path, at, HEADER_BYTES);
  return header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID ? header.readUInt32BE(USER_VERSION_AT) : null;
}

function readAt(path: string, at: number, bytes: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    readSync(fd, buffer, 0, bytes, at);
    return buffer;
  } finally {
    closeSync(fd);
  }
}

/**
 * The store's file: its format, how it is opened, and how older ones are brought up to date.
 *
 * A SQLite 3 database in WAL mode: `orchd.sqlite`, and beside it `orchd.sqlite-wal` while it is open or after a crash.
 * All text is UTF-8.
 *
 *   application_id  0x6f726368 ("orch")
 *   user_version    5: how many of MIGRATIONS (migrations.ts) it has seen
 *
 *   meta     key TEXT, value INTEGER          last_seq: the greatest number ever given; indexed_seq: see by_type
 *   event    seq INTEGER                      from 1; gapless but for what was pruned at the beginning
 *            event_type, session_id?, timestamp TEXT    as in the JSON
 *            text TEXT                        the event as JSON, without `seq`: a line of a stream is `{"seq":7,` +
 *                                             text from its
 *                                             second character on
 *   by_type     event_type TEXT, seq INTEGER                     where to find the events of a type or session, up to
 *   by_session  session_id TEXT, seq INTEGER, event_type TEXT indexed_seq; what is later is found by looking at each.
 *            Filled in sorted order once in INDEX_EVERY events, because an index kept with every insert dirties
 *            a page for each session in each transaction, which halves the speed of the log.
 *   session  place INTEGER, id, value TEXT    value is JSON; in the order of the first commit
 *   item     place INTEGER, id, value TEXT
 *   blueprint   place INTEGER, id, value TEXT since version 2; id is its project (nothing for the user's), a slash, its
 *               name
 *   run      place INTEGER, id, value TEXT    since version 3
 *   task     place INTEGER, id, value TEXT    since version 4
 *   workflow, workflow_step    place INTEGER, id, value TEXT since version 5; a step's id is its workflow's, a slash,
 *                              its place;
 *                                    that of a run of it the step's, a slash, its place
 *   cursor   place INTEGER, session_id TEXT, position INTEGER, checkpoint_position INTEGER?, checkpoint TEXT?
 *            checkpoint is JSON; both are NULL or neither is
 *
 *   Keys (event_type, session_id, id) that SQLite would change (NUL, lone surrogates), or that begin with a quotation
 *   mark,
 *   stand there as JSON strings.
 *
 * Invariants: every transaction that adds events moves last_seq to the last of them; an event's seq is never above it.
 * Each event up to indexed_seq is in by_type, and in by_session if it has a session; none above it is. indexed_seq ≤
 * last_seq.
 *
 * No `quick_check` when it is opened, even after a crash: it reads every page (seconds for 10^6 events), and what a
 * crash can leave in the WAL is found by the WAL's own checksums. A damaged page is found when it is read, and named
 * then.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ErrorCode } from '../protocol/index.js';
import { MIGRATIONS } from './migrations.js';
import { type Database, loadDriver, RESULT, resultCode } from './sqlite-driver.js';
import { APPLICATION_ID, backupPath, newerSentence, spaceProblem } from './store-file.js';

/** A daemon that is just ending closes its file within this; waited for in the worker. */
const LOCK_WAIT_MS = 1_000;
/** Of a new file; one that is there keeps its own. Twice SQLite's: events of a kilobyte leave less of it empty. */
const PAGE_BYTES = 8_192;
/** A page of `maxPages`. */
const QUOTA_PAGE_BYTES = 4_096;
/**
 * Pages kept in memory: the events that are still to be indexed, which is done in two readings. Else the log is read
 * forward and once.
 */
const CACHE_KIB = 3_072;
/** SQLite's smallest page. */
const MIN_BYTES = 512;
/** A WAL that grew in a burst is cut back to this. */
const WAL_LIMIT_BYTES = 8 * 1024 * 1024;

/** A failure as it crosses the thread: OrchdError without its class. */
export class StoreFailure extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Opens the file, or makes it (0600, its folder 0700).
 *
 * @param maxPages  Ceiling for the file in pages of 4 KiB, as a quota would be.
 * @throws {StoreFailure} ORCHD_STORE_LOCKED, ORCHD_STORE_CORRUPT, ORCHD_STORE_NEWER; the file is left as it is.
 */
export async function openDatabase(path: string, maxPages?: number): Promise<Database> {
  const { DatabaseSync } = await loadDriver();
  let db: Database | undefined;
  try {
    makeFile(path);
    db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
    // Before the WAL is first touched: no other process can join in, so no shared-memory file is needed.
    db.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = ${PAGE_BYTES};`);
    const version = checkIdentity(db, path);
    db.exec(`PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA cache_size = -${CACHE_KIB};
             PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};`);
    if (maxPages !== undefined) {
      const pageBytes = readNumber(db, 'PRAGMA page_size', 'page_size');
      db.exec(`PRAGMA max_page_count = ${Math.ceil((maxPages * QUOTA_PAGE_BYTES) / pageBytes)}`);
    }
    if (version > 0 && version < MIGRATIONS.length) backUp(db, path, version);
    migrate(db, version);
    return db;
  } catch (error) {
    db?.close();
    throw describeFailure(error, path, 'open');
  }
}

/** Only a missing file is opened here: closing a file that is in use would drop the process's locks on it. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) closeSync(openSync(path, 'a', 0o600));
  // SQLite takes a file of a few bytes for an empty one, and would write over it.
  else if (size > 0 && size < MIN_BYTES) throw new StoreFailure('ORCHD_STORE_CORRUPT', `${path} is not a database`);
}

/** @returns  The version of its schema; 0 for a new file. */
function checkIdentity(db: Database, path: string): number {
  const version = readNumber(db, 'PRAGMA user_version', 'user_version');
  const tables = readNumber(db, 'SELECT count(*) AS tables FROM sqlite_schema', 'tables');
  const application = readNumber(db, 'PRAGMA application_id', 'application_id');
  if (version === 0 && tables === 0) return 0;
  if (application !== APPLICATION_ID) {
    throw new StoreFailure('ORCHD_STORE_CORRUPT', `${path} is a database of another program`);
  }
  if (version > MIGRATIONS.length) {
    throw new StoreFailure('ORCHD_STORE_NEWER', newerSentence(path, version));
  }
  return version;
}

/**
 * Copies the store before it is migrated. The copy has its name only when it is whole and on disk.
 *
 * SQLite makes the copy: closing another descriptor of the file in this process would drop the lock on it.
 */
function backUp(db: Database, path: string, version: number): void {
  const problem = spaceProblem(path);
  if (problem !== null) throw new StoreFailure('ORCHD_STORE_FULL', problem);
  const backup = backupPath(path, version);
  const unfinished = `${backup}.tmp`;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'wx', 0o600); // SQLite takes an empty file, and leaves its mode
  db.prepare('VACUUM INTO ?').run(unfinished);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, backup);
}

function migrate(db: Database, from: number): void {
  MIGRATIONS.forEach((step, version) => {
    if (version < from) return;
    db.exec(`BEGIN IMMEDIATE;
             ${step}
             PRAGMA application_id = ${APPLICATION_ID};
             PRAGMA user_version = ${version + 1};
             COMMIT;`);
  });
}

export function readNumber(db: Database, sql: string, column: string): number {
  const row = db.prepare(sql).get() as Record<string, unknown> | undefined; // a row is an object
  const value = row?.[column];
  if (typeof value !== 'number') throw new StoreFailure('ORCHD_STORE_CORRUPT', `no number for ${sql}`);
  return value;
}

/** What an error of SQLite means, by what was being done. */
export function describeFailure(error: unknown, path: string, doing: 'open' | 'write' | 'read'): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const reason = error instanceof Error ? error.message : String(error);
  switch (resultCode(error)) {
    case RESULT.corrupt:
    case RESULT.notadb:
      return new StoreFailure('ORCHD_STORE_CORRUPT', `${path} is damaged: ${reason}`, error);
    case RESULT.busy:
    case RESULT.locked:
      return new StoreFailure('ORCHD_STORE_LOCKED', `${path} is used by another process`, error);
    case RESULT.ioerr: // reading: the file is shorter than it says, or its disk fails
      if (doing !== 'write') return new StoreFailure('ORCHD_STORE_CORRUPT', `${path} cannot be read: ${reason}`, error);
      return new StoreFailure('ORCHD_STORE_FULL', `${path} cannot be written: ${reason}`, error);
    case RESULT.full:
    case RESULT.readonly:
    case RESULT.cantopen: // of the WAL: no descriptor or no space to make it
      if (doing === 'write') return new StoreFailure('ORCHD_STORE_FULL', `${path} cannot be written: ${reason}`, error);
      break;
    default:
  }
  return new StoreFailure('ORCHD_INTERNAL', `${path}: ${doing} failed: ${reason}`, error);
}

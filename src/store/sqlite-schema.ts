/**
 * The store's file: its format, how it is opened, and how older versions are upgraded.
 *
 * A SQLite 3 database in WAL mode: `orchd.sqlite`, and beside it `orchd.sqlite-wal` while it is open or after a crash.
 * All text is UTF-8.
 *
 *   application_id  0x6f726368 ("orch")
 *   user_version    5: the number of MIGRATIONS (migrations.ts) that were applied
 *
 *   meta     key TEXT, value INTEGER          last_seq: the greatest seq ever assigned; indexed_seq: see by_type
 *   event    seq INTEGER                      from 1; without gaps, except for pruned events at the beginning
 *            event_type, session_id?, timestamp TEXT    as in the JSON
 *            text TEXT                        the event as JSON, without `seq`. A line of a stream is `{"seq":7,` +
 *                                             this text from its second character on
 *   by_type     event_type TEXT, seq INTEGER                     indexes of events by type and by session, up to
 *   by_session  session_id TEXT, seq INTEGER, event_type TEXT    indexed_seq; later events are found by a scan.
 *            They are filled in sorted order every INDEX_EVERY events. An index updated with every insert would dirty
 *            a page for each session in each transaction, which halves the speed of the log.
 *   session  place INTEGER, id, value TEXT    value is JSON; place is the order of the first commit
 *   item     place INTEGER, id, value TEXT
 *   blueprint   place INTEGER, id, value TEXT since version 2; id is its project (empty for the user's), a slash, its
 *               name
 *   run      place INTEGER, id, value TEXT    since version 3
 *   task     place INTEGER, id, value TEXT    since version 4
 *   workflow, workflow_step    place INTEGER, id, value TEXT    since version 5; the id of a step is its workflow's id,
 *               a slash, its place; the id of a step's run is the step's id, a slash, its place
 *   cursor   place INTEGER, session_id TEXT, position INTEGER, checkpoint_position INTEGER?, checkpoint TEXT?
 *            checkpoint is JSON; either both checkpoint columns are NULL or none
 *
 *   Keys (event_type, session_id, id) that SQLite would change (NUL, lone surrogates), or that begin with a quotation
 *   mark, are stored as JSON strings.
 *
 * Invariants: every transaction that adds events sets last_seq to the last of them, and no event has a greater seq. So
 * last_seq counts only while there is no event; otherwise it is the greatest seq, whatever was damaged.
 * Each event up to indexed_seq is in by_type, and in by_session if it has a session; no later event is. indexed_seq ≤
 * last_seq.
 *
 * `quick_check` is not run on opening, not even after a crash: it would read every page (seconds for 10^6 events), and
 * the WAL's own checksums detect the damage that a crash can cause. A damaged page is reported when it is read.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, errorMessage } from '../protocol/index.js';
import { MIGRATIONS } from './migrations.js';
import { type Database, loadDriver, RESULT, resultCode } from './sqlite-driver.js';
import { APPLICATION_ID, backupPath, newerSentence, spaceProblem } from './store-file.js';

/** Maximum time to wait for a lock: a daemon that is just ending closes its file within this time. */
const LOCK_WAIT_MS = 1_000;
/**
 * Page size of a new file; an existing file keeps its own. Twice SQLite's default: with events of a kilobyte, less of a
 * page stays empty.
 */
const PAGE_BYTES = 8_192;
/** Size of a page for `maxPages`. */
const QUOTA_PAGE_BYTES = 4_096;
/**
 * Size of the page cache. It holds the events that are not indexed yet, which are read twice. Otherwise the log is read
 * once, forward.
 */
const CACHE_KIB = 3_072;
/** SQLite's smallest page. */
const MIN_BYTES = 512;
/** A WAL that grew in a burst is truncated to this size. */
const WAL_LIMIT_BYTES = 8 * 1024 * 1024;

/** An error as sent between threads: an OrchdError without its class. */
export class StoreFailure extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Opens the file or creates it (mode 0600, its folder 0700).
 *
 * @param maxPages Maximum size of the file in pages of 4 KiB, like a quota.
 * @throws {StoreFailure} ORCHD_STORE_LOCKED, ORCHD_STORE_CORRUPT, ORCHD_STORE_NEWER; the file is not changed.
 */
export async function openDatabase(path: string, maxPages?: number): Promise<Database> {
  const { DatabaseSync } = await loadDriver();
  let db: Database | undefined;
  try {
    makeFile(path);
    db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
    // Set before the WAL is used: no other process can open the file, so no shared-memory file is needed.
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

/**
 * Creates the file if it is missing. An existing file is not opened here, because closing it would release this
 * process's locks on it.
 */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) closeSync(openSync(path, 'a', 0o600));
  // SQLite treats a file of a few bytes as empty and would overwrite it.
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
 * Copies the store before it is migrated. The copy gets its name only when it is complete and on disk.
 *
 * SQLite makes the copy: closing another descriptor of the file in this process would release the lock on it.
 */
function backUp(db: Database, path: string, version: number): void {
  const problem = spaceProblem(path);
  if (problem !== null) throw new StoreFailure('ORCHD_STORE_FULL', problem);
  const backup = backupPath(path, version);
  const unfinished = `${backup}.tmp`;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'wx', 0o600); // SQLite accepts an empty file and keeps its mode.
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

function readNumber(db: Database, sql: string, column: string): number {
  const row = db.prepare(sql).get() as Record<string, unknown> | undefined; // a row is an object
  const value = row?.[column];
  if (typeof value !== 'number') throw new StoreFailure('ORCHD_STORE_CORRUPT', `no number for ${sql}`);
  return value;
}

/** Translates an error of SQLite, depending on the operation. */
export function describeFailure(error: unknown, path: string, doing: 'open' | 'write' | 'read'): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const reason = errorMessage(error);
  switch (resultCode(error)) {
    case RESULT.corrupt:
    case RESULT.notadb:
      return new StoreFailure('ORCHD_STORE_CORRUPT', `${path} is damaged: ${reason}`, error);
    case RESULT.busy:
    case RESULT.locked:
      return new StoreFailure('ORCHD_STORE_LOCKED', `${path} is used by another process`, error);
    case RESULT.ioerr: // while reading: the file is truncated, or its disk fails
      if (doing !== 'write') return new StoreFailure('ORCHD_STORE_CORRUPT', `${path} cannot be read: ${reason}`, error);
      return new StoreFailure('ORCHD_STORE_FULL', `${path} cannot be written: ${reason}`, error);
    case RESULT.full:
      return new StoreFailure('ORCHD_STORE_FULL', `${path} cannot be written: ${reason}`, error);
    case RESULT.readonly:
    case RESULT.cantopen: // the WAL cannot be created: no descriptor or no space
      if (doing === 'write') return new StoreFailure('ORCHD_STORE_FULL', `${path} cannot be written: ${reason}`, error);
      return new StoreFailure('ORCHD_FILE', `${path} cannot be opened: ${reason}`, error);
    case RESULT.error: // a damaged schema or row: the statements themselves are tested
    case RESULT.schema:
    case RESULT.constraint: // two rows where one may be: the table and its index differ
    case RESULT.mismatch:
    case RESULT.format:
      return new StoreFailure('ORCHD_STORE_CORRUPT', `${path} is damaged: ${reason}`, error);
    default:
  }
  return new StoreFailure('ORCHD_INTERNAL', `${path}: ${doing} failed: ${reason}`, error);
}

/**
 * Reads and writes an open store file. It is synchronous and therefore runs in the worker. sqlite-schema.ts describes
 * the format.
 *
 * In:   encoded batches and queries.
 * Out:  numbers and stored texts. Does not use threads and does not parse JSON.
 */
import type { RowKind } from './contract.js';
import { type EncodedCursor, type EncodedRow, type EncodedState, eachKind } from './encoding.js';
import type { Database, Statement, Value } from './sqlite-driver.js';
import { WIRE_VALUES, type WireBatch, type WireValue } from './sqlite-messages.js';

export interface ReadQuery {
  readonly since: number;
  readonly limit: number;
  /** Encoded as keys. */
  readonly types?: readonly string[];
  readonly sessionId?: string;
}
export interface ReadPage {
  readonly rows: readonly { readonly seq: number; readonly text: string }[];
  /** True if the page is full before the query is finished: ask again after its last row. */
  readonly hasMore: boolean;
}

/** Maximum size of a page. It keeps commits from waiting for a long read, and limits memory. */
const PAGE_CHARS = 1024 * 1024;
/** Rows read from SQLite at a time. */
const SLICE_ROWS = 64;
/**
 * Maximum number of types that are looked up in by_type. There are fewer types, so a longer list is answered by a scan.
 */
const TYPES_BY_INDEX = 64;
/** Number of events after which by_type and by_session are updated. A read scans at most this many events. */
const INDEX_EVERY = 2_048;

/** Number of events per insert statement, if enough are waiting. */
const MANY_ROWS = 20;
const ROW = '(?, ?, ?, ?, ?)';
/**
 * OR FAIL makes an error fail the whole transaction. By default, SQLite saves the old pages of each multi-row insert,
 * to be able to undo that statement alone. This would double the bytes written.
 */
const INSERT = 'INSERT OR FAIL INTO';
/** Keeps rows that are already indexed, which a damaged indexed_seq may not show. */
const INDEX = 'INSERT OR IGNORE INTO';
const INSERT_EVENT = `${INSERT} event VALUES ${ROW}`;
const INSERT_EVENTS = `${INSERT} event VALUES ${Array.from({ length: MANY_ROWS }, () => ROW).join(', ')}`;

/** Reads a column as a safe integer, or as NULL if it is damaged. The driver throws for an integer above 2^53. */
const place = (column: string): string =>
  `CASE WHEN typeof(${column}) = 'integer' AND ${column} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN ${column} END`;
const CURSORS = `SELECT CAST(session_id AS TEXT) AS session_id, ${place('position')} AS position,
  ${place('checkpoint_position')} AS checkpoint_position, CAST(checkpoint AS TEXT) AS checkpoint
  FROM cursor ORDER BY place`;

const AMONG_TYPES = 'event_type IN (SELECT value FROM json_each(?))';
const EVENTS_IN = 'SELECT seq, text FROM event WHERE seq IN';

type EventRow = { seq: number; text: string };
const TABLES = {
  sessions: 'session',
  items: 'item',
  blueprints: 'blueprint',
  runs: 'run',
  tasks: 'task',
  workflows: 'workflow',
  workflowSteps: 'workflow_step',
} as const satisfies Record<RowKind, string>;

export class SqliteLog {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();
  #lastSeq: number;
  #indexedSeq: number;

  constructor(db: Database) {
    this.#db = db;
    // `max` always returns one row.
    const { seq } = this.#statement('SELECT max(seq) AS seq FROM event').get() as { seq: number | null };
    this.#lastSeq = seq ?? this.#readMeta('last_seq');
    // If the number is damaged, the indexes are built again with the next events.
    this.#indexedSeq = Math.min(this.#readMeta('indexed_seq'), this.#lastSeq);
  }

  /**
   * Writes a batch in one transaction.
   * @returns The `seq` of its first event.
   */
  commit({ events, rows, cursors, removed }: WireBatch): number {
    const firstSeq = this.#lastSeq + 1;
    const seq = this.#lastSeq + events.length / WIRE_VALUES;
    const isIndexed = seq - this.#indexedSeq >= INDEX_EVERY;
    this.#statement('BEGIN IMMEDIATE').run();
    try {
      this.#putEvents(events, this.#lastSeq);
      for (const [kind, some] of rows) this.#putRows(kind, some);
      for (const cursor of cursors) this.#putCursor(cursor);
      for (const [kind, ids] of removed) this.#removeRows(kind, ids);
      if (seq > this.#lastSeq) this.#setMeta('last_seq', seq);
      if (isIndexed) this.#index(this.#indexedSeq, seq);
      this.#statement('COMMIT').run();
    } catch (error) {
      // A full disk has already ended the transaction; https://sqlite.org/lang_transaction.html
      if (this.#db.isTransaction) this.#statement('ROLLBACK').run();
      throw error;
    }
    this.#lastSeq = seq;
    if (isIndexed) this.#indexedSeq = seq;
    return firstSeq;
  }

  /** Inserts events after `lastSeq`, many per statement, which saves a quarter of the time. */
  #putEvents(values: readonly WireValue[], lastSeq: number): void {
    let seq = lastSeq;
    for (let at = 0; at < values.length; ) {
      const rows = values.length - at >= MANY_ROWS * WIRE_VALUES ? MANY_ROWS : 1;
      const row: Value[] = [];
      for (const end = at + rows * WIRE_VALUES; at < end; at += WIRE_VALUES) {
        row.push(++seq, values[at] ?? null, values[at + 1] ?? null, values[at + 2] ?? null, values[at + 3] ?? null);
      }
      this.#statement(rows === 1 ? INSERT_EVENT : INSERT_EVENTS).run(...row);
    }
  }

  #index(after: number, upTo: number): void {
    this.#statement(
      `${INDEX} by_type SELECT event_type, seq FROM event WHERE seq > ? AND seq <= ? ORDER BY event_type, seq`,
    ).run(after, upTo);
    this.#statement(
      `${INDEX} by_session SELECT session_id, seq, event_type FROM event
       WHERE seq > ? AND seq <= ? AND session_id IS NOT NULL ORDER BY session_id, seq`,
    ).run(after, upTo);
    this.#setMeta('indexed_seq', upTo);
  }

  #setMeta(key: 'last_seq' | 'indexed_seq', value: number): void {
    this.#statement('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
  }

  /** Returns 0 for a number that was damaged. */
  #readMeta(key: 'last_seq' | 'indexed_seq'): number {
    const row = this.#statement(`SELECT ${place('value')} AS value FROM meta WHERE key = ?`).get(key);
    return (row as { value: number | null } | undefined)?.value ?? 0; // the selected column
  }

  #putRows(kind: RowKind, rows: readonly EncodedRow[]): void {
    for (const { id, text } of rows) {
      this.#statement(
        `INSERT INTO ${TABLES[kind]} (id, value) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value`,
      ).run(id, text);
    }
  }

  #putCursor({ sessionId, position, checkpoint }: EncodedCursor): void {
    const rest =
      checkpoint === undefined
        ? ''
        : ', checkpoint_position = excluded.checkpoint_position, checkpoint = excluded.checkpoint';
    this.#statement(
      `INSERT INTO cursor (session_id, position, checkpoint_position, checkpoint) VALUES (?, ?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE SET position = excluded.position${rest}`,
    ).run(sessionId, position, checkpoint?.position ?? null, checkpoint?.text ?? null);
  }

  readPage(query: ReadQuery): ReadPage {
    const rows: EventRow[] = [];
    let { since } = query;
    let chars = 0;
    while (rows.length < query.limit) {
      const limit = Math.min(SLICE_ROWS, query.limit - rows.length);
      const slice = this.#readSlice({ ...query, since, limit });
      for (const row of slice) {
        rows.push(row);
        chars += row.text.length;
        since = row.seq;
      }
      if (slice.length < limit) return { rows, hasMore: false };
      if (chars >= PAGE_CHARS) return { rows, hasMore: rows.length < query.limit };
    }
    return { rows, hasMore: false };
  }

  #readSlice(query: ReadQuery): EventRow[] {
    const { since, limit, types, sessionId } = query;
    if (types?.length === 0) return [];
    const isIndexed = sessionId !== undefined || (types && types.length <= TYPES_BY_INDEX);
    if (!isIndexed) return this.#scan(query);
    const found = since < this.#indexedSeq ? this.#lookUp(query) : [];
    if (found.length === limit) return found;
    return [
      ...found,
      ...this.#scan({ ...query, since: Math.max(since, this.#indexedSeq), limit: limit - found.length }),
    ];
  }

  /** Scans every event after `since`. */
  #scan({ since, limit, types, sessionId }: ReadQuery): EventRow[] {
    const conditions = ['seq > ?'];
    const values: Value[] = [since];
    if (sessionId !== undefined) {
      conditions.push('session_id = ?');
      values.push(sessionId);
    }
    if (types) {
      conditions.push(AMONG_TYPES);
      values.push(JSON.stringify(types));
    }
    return this.#rows(`SELECT seq, text FROM event WHERE ${conditions.join(' AND ')} ORDER BY seq LIMIT ?`, [
      ...values,
      limit,
    ]);
  }

  /** Looks up events in by_session or by_type. */
  #lookUp({ since, limit, types = [], sessionId }: ReadQuery): EventRow[] {
    if (sessionId !== undefined) {
      const among = types.length > 0 ? `AND ${AMONG_TYPES}` : '';
      const list = types.length > 0 ? [JSON.stringify(types)] : [];
      const seqs = `SELECT seq FROM by_session WHERE session_id = ? AND seq > ? ${among} ORDER BY seq LIMIT ?`;
      return this.#rows(`${EVENTS_IN} (${seqs}) ORDER BY seq`, [sessionId, since, ...list, limit]);
    }
    const one = 'SELECT * FROM (SELECT seq FROM by_type WHERE event_type = ? AND seq > ? ORDER BY seq LIMIT ?)';
    const seqs = `${types.map(() => one).join(' UNION ALL ')} ORDER BY seq LIMIT ?`;
    return this.#rows(`${EVENTS_IN} (${seqs}) ORDER BY seq`, [...types.flatMap((type) => [type, since, limit]), limit]);
  }

  #rows(sql: string, values: readonly Value[]): EventRow[] {
    const rows = this.#statement(sql).all(...values) as EventRow[]; // the query selects these columns
    // A damaged row may hold a number or nothing.
    return rows.map(({ seq, text }) => ({ seq, text: typeof text === 'string' ? text : '' }));
  }

  firstSeq(): number {
    const row = this.#statement('SELECT min(seq) AS seq FROM event').get() as { seq: number | null }; // always one row
    return row.seq ?? this.#lastSeq + 1;
  }

  /**
   * Scans events one by one: they are not sorted by time, because events of an imported recording have its old times.
   */
  seqAt(timestamp: string): number {
    const row = this.#statement('SELECT seq FROM event WHERE timestamp >= ? ORDER BY seq LIMIT 1').get(timestamp);
    return (row as { seq: number } | undefined)?.seq ?? this.#lastSeq + 1;
  }

  load(): EncodedState {
    const cursors = this.#statement(CURSORS).all() as CursorRow[]; // the query selects these columns
    return {
      rows: eachKind((kind) => this.#readRows(kind)),
      cursors: cursors.map((row) => ({
        sessionId: row.session_id,
        position: row.position ?? Number.NaN, // set aside by decodeState
        checkpoint:
          row.checkpoint_position === null || row.checkpoint === null
            ? null
            : { position: row.checkpoint_position, text: row.checkpoint },
      })),
      lastSeq: this.#lastSeq,
    };
  }

  #removeRows(kind: RowKind, ids: readonly string[]): void {
    for (const id of ids) {
      this.#statement(`DELETE FROM ${TABLES[kind]} WHERE id = ?`).run(id);
      if (kind === 'sessions') this.#statement('DELETE FROM cursor WHERE session_id = ?').run(id);
    }
  }

  #readRows(kind: RowKind): EncodedRow[] {
    const sql = `SELECT CAST(id AS TEXT) AS id, CAST(value AS TEXT) AS text FROM ${TABLES[kind]} ORDER BY place`;
    return this.#statement(sql)
      .all()
      .map((row) => ({ ...(row as EncodedRow) })); // the query selects these columns
  }

  /** @returns  The number of removed events, at most `limit`. The caller repeats the call. */
  prune(beforeSeq: number, limit: number): number {
    const first = this.firstSeq();
    const end = Math.min(beforeSeq, first + limit, this.#lastSeq + 1);
    if (end <= first) return 0;
    this.#statement('BEGIN IMMEDIATE').run();
    try {
      for (const table of ['by_session', 'by_type']) {
        const key = table === 'by_session' ? 'session_id' : 'event_type';
        this.#statement(
          `DELETE FROM ${table} WHERE (${key}, seq) IN (SELECT ${key}, seq FROM event WHERE seq >= ? AND seq < ?)`,
        ).run(first, end);
      }
      this.#statement('DELETE FROM event WHERE seq < ?').run(end);
      if (end - 1 > this.#indexedSeq) this.#setMeta('indexed_seq', end - 1);
      this.#statement('COMMIT').run();
    } catch (error) {
      if (this.#db.isTransaction) this.#statement('ROLLBACK').run();
      throw error;
    }
    this.#indexedSeq = Math.max(this.#indexedSeq, end - 1);
    return end - first;
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

interface CursorRow {
  session_id: string;
  position: number | null;
  checkpoint_position: number | null;
  checkpoint: string | null;
}

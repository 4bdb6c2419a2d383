/**
 * Selects the SQLite driver: the one built into Node if it needs no flag (22.13 and later), otherwise
 * `@photostructure/sqlite`, an addon with the same API, for Node 20. Both write the same file format.
 */

/** The part of the API that the store uses. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
  readonly isTransaction: boolean;
}
export interface Statement {
  run(...values: readonly Value[]): { changes: number | bigint };
  get(...values: readonly Value[]): unknown;
  all(...values: readonly Value[]): unknown[];
}
export type Value = string | number | null;

interface Driver {
  readonly DatabaseSync: new (path: string, options?: { timeout?: number }) => Database;
}

export async function loadDriver(): Promise<Driver> {
  // Asks for the module instead of checking the version. The result is undefined if the module is missing or needs a
  // flag.
  const builtin = process.getBuiltinModule('node:sqlite') as unknown; // not in the types of Node 20
  return (builtin ?? (await import('@photostructure/sqlite'))) as Driver; // the same API; both are tested
}

/** SQLite's primary result codes that the store handles (https://sqlite.org/rescode.html). */
export const RESULT = {
  error: 1,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  schema: 17,
  constraint: 19,
  mismatch: 20,
  format: 24,
  notadb: 26,
} as const;

/** Messages by which errors without a code are recognized: the addon's `all` sometimes throws those. */
const SENTENCES: Readonly<Record<string, number>> = {
  'database is locked': RESULT.busy,
  'disk I/O error': RESULT.ioerr,
  'database disk image is malformed': RESULT.corrupt,
  'database or disk is full': RESULT.full,
  'file is not a database': RESULT.notadb,
};

/** @returns  The primary result code; undefined if the error is not SQLite's. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return SENTENCES[error.message];
  return error.errcode & 0xff; // the higher bits contain details
}

/**
 * Which SQLite: the one inside of Node where it can be used without a flag (22.13 and later), else
 * `@photostructure/sqlite`, the same API as an addon, for Node 20. Both write the same files.
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
  // Asking by name, not by version: undefined where the module is missing or still behind a flag.
  const builtin = process.getBuiltinModule('node:sqlite') as unknown; // unknown to the types of Node 20
  return (builtin ?? (await import('@photostructure/sqlite'))) as Driver; // the same API, tested on both
}

/** SQLite's primary result codes that mean something to us (https://sqlite.org/rescode.html). */
export const RESULT = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  notadb: 26,
} as const;

/** The addon's `all` sometimes throws SQLite's sentence without its code. */
const SENTENCES: Readonly<Record<string, number>> = {
  'database is locked': RESULT.busy,
  'disk I/O error': RESULT.ioerr,
  'database disk image is malformed': RESULT.corrupt,
  'database or disk is full': RESULT.full,
  'file is not a database': RESULT.notadb,
};

/** @returns  The primary result code; undefined for an error that is not SQLite's. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return SENTENCES[error.message];
  return error.errcode & 0xff; // the rest says more precisely which
}

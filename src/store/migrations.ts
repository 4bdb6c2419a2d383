/** The schema of the store, as the steps that lead to it. sqlite-schema.ts describes the format. */

/**
 * Each migration converts a file from the version of its index to the next. Never change one that was released: add
 * another.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
   INSERT INTO meta VALUES ('last_seq', 0), ('indexed_seq', 0);
   CREATE TABLE event (
     seq INTEGER PRIMARY KEY, event_type TEXT NOT NULL, session_id TEXT, timestamp TEXT NOT NULL, text TEXT NOT NULL
   );
   CREATE TABLE by_type (event_type TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (event_type, seq)) WITHOUT ROWID;
   CREATE TABLE by_session (
     session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_type TEXT NOT NULL, PRIMARY KEY (session_id, seq)
   ) WITHOUT ROWID;
   CREATE TABLE session (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
   CREATE TABLE item (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
   CREATE TABLE cursor (
     place INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, position INTEGER NOT NULL,
     checkpoint_position INTEGER, checkpoint TEXT
   );`,
  `CREATE TABLE blueprint (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);`,
  `CREATE TABLE run (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);`,
  `CREATE TABLE task (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);`,
  `CREATE TABLE workflow (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
   CREATE TABLE workflow_step (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, value TEXT NOT NULL);`,
];

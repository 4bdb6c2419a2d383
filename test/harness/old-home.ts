/**
 * Homes of earlier versions of orchd (fixtures/homes). Each contains a store as SQL, and the journals of its sessions.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Paths } from '../../src/protocol/index.js';
import { loadDriver } from '../../src/store/sqlite-driver.js';

const HOMES = join(import.meta.dirname, '../../fixtures/homes');

export const OLD_HOMES: readonly string[] = readdirSync(HOMES).sort();

/** Copies such a home to the paths of a daemon that was not started yet. */
export async function restoreHome(name: string, { database, journalsDir }: Paths): Promise<void> {
  const dir = join(HOMES, name);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(database);
  db.exec(readFileSync(join(dir, 'orchd.sql'), 'utf8'));
  db.close();
  cpSync(join(dir, 'journals'), journalsDir, { recursive: true });
}

/**
 * Detects that the store's `-wal` file, with the newest events, was removed after a crash. The file `<store>-open`
 * exists from the first write until the daemon closes the store. After a crash it remains, together with the `-wal`
 * file. SQLite itself opens a store without its `-wal` file and reports nothing.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { DamagedRow } from '../../store/index.js';

/** Marks the store as open, and reports lost events if its `-wal` file was removed after a crash. */
export class WalMark {
  readonly #path: string;
  /** The lost data, reported in the form of a damaged row. Empty if nothing is lost. */
  readonly lost: readonly DamagedRow[];

  /**
   * Must be created before the store is opened.
   * @param database  Path of the store.
   */
  constructor(database: string) {
    this.#path = `${database}-open`;
    const wal = `${database}-wal`;
    const isLost = existsSync(this.#path) && existsSync(database) && !existsSync(wal);
    const text = `the newest events are lost: ${wal} was removed after the daemon had ended without closing the store`;
    this.lost = isLost ? [{ kind: 'wal', id: wal, text }] : [];
  }

  /** Called when the store was written to, so that its `-wal` file exists. */
  set(): void {
    try {
      writeFileSync(this.#path, '', { mode: 0o600 });
    } catch {
      // If the disk is full, the next start cannot detect a lost `-wal` file.
    }
  }

  /** Called when the store is closed. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

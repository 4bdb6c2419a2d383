/**
 * Notices that the store's `-wal` file was removed after a crash: the newest events were in it.
 *
 * A file `<store>-open` is there while a daemon has written to the store, and until it has closed it. A daemon that ended without
 * closing leaves it, and the `-wal` file beside it. SQLite itself opens a store without its `-wal` file without a word.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { DamagedRow } from '../../store/index.js';

export class WalMark {
  readonly #path: string;
  /** The loss, as a row that was set aside; empty if nothing is lost. */
  readonly lost: readonly DamagedRow[];

  /** Must be made before the store is opened. @param database  Its path. */
  constructor(database: string) {
    this.#path = `${database}-open`;
    const wal = `${database}-wal`;
    const isLost = existsSync(this.#path) && existsSync(database) && !existsSync(wal);
    const text = `the newest events are lost: ${wal} was removed after the daemon had ended without closing the store`;
    this.lost = isLost ? [{ kind: 'wal', id: wal, text }] : [];
  }

  /** The store was written to, so its `-wal` file exists. */
  set(): void {
    try {
      writeFileSync(this.#path, '', { mode: 0o600 });
    } catch {
      // On a full disk the next start does not notice a lost file.
    }
  }

  /** The store is closed. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

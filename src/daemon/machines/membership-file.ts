/**
 * The file with the membership of this daemon (mode 0600).
 *
 * The id of the event log is kept when the daemon leaves its hub, so that it can join again under its name. A file that
 * cannot be read is an error: a new id would look like another machine.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { readOwnFile } from '../../host/index.js';
import type { Membership } from '../../hub/index.js';
import { errorMessage, OrchdError } from '../../protocol/index.js';

export interface StoredMembership {
  readonly logId: string;
  /** Absent for a daemon that has left its hub. */
  readonly membership?: Membership;
}

/** @throws {OrchdError} ORCHD_FILE */
export function readMembership(file: string): StoredMembership | null {
  if (!existsSync(file)) return null;
  try {
    const stored = JSON.parse(readOwnFile(file)) as StoredMembership; // `writeMembership` wrote this file.
    if (typeof stored.logId === 'string') return stored;
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new OrchdError('ORCHD_FILE', `${file} cannot be read: ${reason}`, undefined, cause);
  }
  throw new OrchdError('ORCHD_FILE', `${file} has no logId`);
}

export const newLogId = (): string => randomUUID();

export function writeMembership(file: string, stored: StoredMembership): void {
  const next = `${file}.new`;
  writeFileSync(next, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}

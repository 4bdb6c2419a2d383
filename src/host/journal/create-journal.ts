/**
 * Creates the journal of a session that is about to start, or continues an existing one. Failures become an OrchdError.
 */
import { join } from 'node:path';
import { OrchdError } from '../../protocol/errors.js';
import type { SpawnRequest } from '../contract.js';
import { JournalWriter, type JournalWriterOptions } from './journal-writer.js';

/** @throws {OrchdError} ORCHD_NAME_TAKEN, ORCHD_JOURNAL, ORCHD_STORE_FULL */
export function createJournal(
  journals: string,
  { sessionId, again: goesOn = false }: Pick<SpawnRequest, 'sessionId' | 'again'>,
  options: Pick<JournalWriterOptions, 'write' | 'onStuck' | 'onFreed'>,
): JournalWriter {
  const directory = join(journals, sessionId);
  try {
    return new JournalWriter({ directory, goesOn, ...options });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code === 'EEXIST') {
      throw new OrchdError('ORCHD_NAME_TAKEN', `there is a journal of ${sessionId} already`, { directory });
    }
    if (code === 'ENOENT' && goesOn) {
      throw new OrchdError('ORCHD_JOURNAL', `there is no journal of ${sessionId} to go on with`, { directory });
    }
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    const what = `the journal of ${sessionId} cannot be made: ${String(cause)}`;
    throw new OrchdError(isFull ? 'ORCHD_STORE_FULL' : 'ORCHD_JOURNAL', what, { directory }, cause);
  }
}

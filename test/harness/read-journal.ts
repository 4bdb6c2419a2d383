/** Reads a whole journal, for the tests of what a journal contains. */
import { type JournalRecord, openJournal } from '../../src/host/index.js';

type Problem = ReturnType<ReturnType<typeof openJournal>['read']>;

/**
 * Yields all complete records of a journal, each with its own copy of the bytes.
 *
 * @param onDamage  Called for each part that could not be read.
 */
export function* readJournal(
  journals: string,
  sessionId: string,
  onDamage?: (damage: Problem['damaged'][number] | NonNullable<Problem['torn']>) => void,
): Generator<JournalRecord> {
  const reader = openJournal(journals, sessionId);
  try {
    for (;;) {
      let record: JournalRecord | null = null;
      const outcome = reader.read(Infinity, (found) => {
        record = found.kind === 'out' ? { ...found, bytes: Uint8Array.from(found.bytes) } : found;
        return false;
      });
      for (const damage of outcome.damaged) onDamage?.(damage);
      if (outcome.torn) onDamage?.(outcome.torn);
      if (record === null) return;
      yield record;
    }
  } finally {
    reader.close();
  }
}

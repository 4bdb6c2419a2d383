/** Reading a journal to its present end: at once, or in pieces between which the process serves others. */
import type { JournalRecord } from '../contract.js';
import { type JournalReader, type OnRecord, openJournal, type ReadOutcome } from './journal-reader.js';

interface Pieces {
  /** Maximum size of a piece, unless a single record is longer. */
  readonly pieceBytes: number;
  /** Called before each piece. False ends the reading. Default: true. */
  readonly goesOn?: () => boolean;
  /** Awaited after each piece. */
  readonly afterPiece?: (outcome: ReadOutcome) => Promise<void> | void;
}

/**
 * Reads to the end of a journal, in pieces.
 *
 * @param onRecord  As that of `JournalReader.read`; `false` ends the piece.
 */
export async function readInPieces(reader: JournalReader, pieces: Pieces, onRecord: OnRecord): Promise<void> {
  const { pieceBytes, goesOn = () => true, afterPiece } = pieces;
  for (let before = -1; reader.position > before && goesOn(); ) {
    before = reader.position;
    let bytes = 0;
    const outcome = reader.read(Number.POSITIVE_INFINITY, (record) => {
      bytes += record.end - record.position;
      return onRecord(record) !== false && bytes < pieceBytes;
    });
    await afterPiece?.(outcome);
    await new Promise(setImmediate);
  }
}

/** Reads a journal to its end at once. */
export function readRecords(
  journals: string,
  sessionId: string,
  from: number,
  onRecord: (record: JournalRecord) => boolean,
): ReadOutcome {
  const reader = openJournal(journals, sessionId, { from });
  try {
    return reader.read(Number.POSITIVE_INFINITY, onRecord);
  } finally {
    reader.close();
  }
}

/** Journals: the files with everything that happened in a session, in the order in which it happened. */
export { createJournal } from './create-journal.js';
export { clearNew, cutJournal, type Range } from './cut-journal.js';
export {
  type Damage,
  type JournalReader,
  knownGaps,
  openJournal,
  type ReadOutcome,
  readJournal,
} from './journal-reader.js';
export { JournalWriter, type JournalWriterOptions } from './journal-writer.js';
export { addPassedOver, PASSED_OVER, PASSED_OVER_NOTE, readPassedOver } from './passed-over.js';
export { readInPieces, readRecords } from './read-pieces.js';
export { HEADER_BYTES, type JournalEntry, OUT_HEADER_BYTES } from './record-codec.js';
export { snapshotAt } from './segment.js';

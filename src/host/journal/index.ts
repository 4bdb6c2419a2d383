/** Journals: the files with everything that happened in a session, in the order in which it happened. */
export { createJournal } from './create-journal.js';
export { JournalWriter, type JournalWriterOptions } from './journal-writer.js';
export { HEADER_BYTES, type JournalEntry } from './record-codec.js';

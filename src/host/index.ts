/** The host as other floors know it: the contract, the daemon's connection, and journals. The ptys stay inside. */
export { connectHost, type HostClient, type HostClientOptions } from './client.js';
export * from './contract.js';
export { createJournalBuilder, type JournalBuilder } from './journal-builder.js';
export {
  type Damage,
  type JournalReader,
  openJournal,
  type ReadOutcome,
  readJournal,
  type TornTail,
} from './journal-reader.js';
export { JournalWriter, type JournalWriterOptions } from './journal-writer.js';
export { encodeRecord, type JournalEntry, OUT_HEADER_BYTES } from './record-codec.js';

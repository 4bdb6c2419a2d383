/**
 * The host's public interface: the contract, the daemon's connection, journals, and running a program for its output.
 * The ptys stay inside.
 */
export { askContract, checkContract } from './ask-contract.js';
export { connectHost, grownIn, type HostClient, type HostClientOptions } from './client.js';
export * from './contract.js';
export { isDirectory, isProgram, makeDirectory, readOwnFile, readRegularFile } from './files/index.js';
export {
  addPassedOver,
  clearNew,
  cutJournal,
  type Damage,
  type JournalEntry,
  type JournalReader,
  JournalWriter,
  knownGaps,
  OUT_HEADER_BYTES,
  openJournal,
  PASSED_OVER,
  PASSED_OVER_NOTE,
  type Range,
  type ReadOutcome,
  readInPieces,
  readJournal,
  readPassedOver,
  readRecords,
  snapshotAt,
} from './journal/index.js';
export { FIRST_WINDOW_BYTES } from './output/index.js';
export { askProgram, type CgroupAccess, cgroupAccess, leaveScope, limitOf, startByProc } from './processes/index.js';
export { loadNative } from './program/index.js';

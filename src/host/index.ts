/**
 * The host's public interface: the contract, the daemon's connection, journals, and running a program for its output.
 * The ptys stay inside.
 */
export { askContract, checkContract } from './ask-contract.js';
export { askProgram } from './ask-program.js';
export { connectHost, grownIn, type HostClient, type HostClientOptions } from './client.js';
export * from './contract.js';
export { clearNew, cutJournal, type Range } from './cut-journal.js';
export { isDirectory, isProgram } from './file-kinds.js';
export { FIRST_WINDOW_BYTES } from './flow-window.js';
export {
  type Damage,
  type JournalReader,
  knownGaps,
  openJournal,
  type ReadOutcome,
  readJournal,
} from './journal-reader.js';
export { JournalWriter } from './journal-writer.js';
export { makeDirectory } from './make-directory.js';
export { loadNative } from './native-pty.js';
export { addPassedOver, PASSED_OVER, PASSED_OVER_NOTE, readPassedOver } from './passed-over.js';
export { startByProc } from './program-age.js';
export { readInPieces, readRecords } from './read-pieces.js';
export { readOwnFile, readRegularFile } from './read-regular-file.js';
export { type JournalEntry, OUT_HEADER_BYTES } from './record-codec.js';
export { snapshotAt } from './segment.js';
export { type CgroupAccess, cgroupAccess, leaveScope } from './session-scopes.js';
export { limitOf } from './task-room.js';

/**
 * The host's public interface: the contract, the daemon's connection, journals, and running a program for its output.
 * The ptys stay inside.
 */
export { askContract, checkContract } from './ask-contract.js';
export { connectHost, grownIn, type HostClient, type HostClientOptions } from './client.js';
export * from './contract.js';
export { directoryId, isDirectory, isProgram, isThere } from './files/file-kinds.js';
export { makeDirectory } from './files/make-directory.js';
export { readOwnFile, readRegularFile } from './files/read-regular-file.js';
export { clearNew, cutJournal, type Range } from './journal/cut-journal.js';
export { type Damage, type JournalReader, knownGaps, openJournal, type ReadOutcome } from './journal/journal-reader.js';
export { JournalWriter } from './journal/journal-writer.js';
export { addPassedOver, PASSED_OVER, PASSED_OVER_NOTE, readPassedOver } from './journal/passed-over.js';
export { readInPieces, readRecords } from './journal/read-pieces.js';
export { type JournalEntry, OUT_HEADER_BYTES } from './journal/record-codec.js';
export { snapshotAt } from './journal/segment.js';
export { FIRST_WINDOW_BYTES } from './output/flow-window.js';
export { askProgram } from './processes/ask-program.js';
export { startByProc } from './processes/program-age.js';
export { type RunningHost, reviveHost, runningHosts } from './processes/running-hosts.js';
export { type CgroupAccess, cgroupAccess, leaveScope } from './processes/session-scopes.js';
export { limitOf } from './processes/task-room.js';
export { loadNative } from './program/native-pty.js';

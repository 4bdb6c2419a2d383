/** The reports of a daemon about its start, its health and its disk. Pure. */
export { bytesText, type DiskReport, diskWords, isDiskFull, type JournalSize, journalWords } from './disk-words.js';
export { type HealthFinding, healthOf } from './health.js';
export { LOOPBACK, portProblem } from './port-problem.js';
export { FAILED, LISTENING, STARTING } from './start-lines.js';
export * from './v8-flags.js';

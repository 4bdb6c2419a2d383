/** The files that the daemon keeps on disk, and their limits. */
export { BoundedJournal, journalBytes } from './bounded-journal.js';
export { keepHearing, LargeCheckpoints, openHearing, smallCheckpoint } from './checkpoints.js';
export { brakeFor, type DiskBrake } from './disk-brake.js';
export { createDiskWatch, type DiskWatch, namingFullDisk } from './disk-watch.js';
export { EndedJournals } from './ended-journals.js';
export { createJournalLoads, type JournalLoads } from './journal-loads.js';
export { Prune } from './prune.js';
export { tornTailEnd } from './torn-tail.js';
export { Trash } from './trash.js';

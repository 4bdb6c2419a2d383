/** The store: events and the data that must agree with them, on disk or in memory. */
export * from './contract.js';
export { parseLine, soundLine } from './encoding.js';
export { createMemoryStore } from './memory-store.js';
export { openStore, type StoreOptions } from './sqlite-store.js';
export { checkUpgrade, DAMAGED, listBackups, type StoreBackup } from './store-file.js';

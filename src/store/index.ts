/** The store: events and the data that must agree with them, on disk. */
export * from './contract.js';
export { parseLine, soundLine } from './encoding.js';
export { openStore, type StoreOptions } from './sqlite-store.js';
export { checkUpgrade, DAMAGED, listBackups, type StoreBackup } from './store-file.js';

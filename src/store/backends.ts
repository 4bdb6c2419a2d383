/** The backends of the store. To add one, add a file and a line here. */
import type { StoreBackend } from './contract.js';
import { sqlite } from './sqlite-store.js';

export const BACKENDS: readonly StoreBackend[] = [sqlite];

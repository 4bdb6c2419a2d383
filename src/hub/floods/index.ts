/** Machines of a hub that send more than this one reads: their limits, and who they are. */
export { FloodGuard, type FloodLimit } from './flood-guard.js';
export { type Flood, Floods, floodWarnings } from './floods.js';

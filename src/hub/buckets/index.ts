/** The entries of the hub's buckets, kept up to date: the sessions and items of all machines, and the machines. */
export { BEAT_MS, type MachineEntry, MachineWatch, withdraw } from './machines.js';
export { ServerClock } from './server-clock.js';
export { type BucketEntry, ITEMS_KEPT, SESSIONS_KEPT, WatchedBucket } from './watched-bucket.js';

/** Concurrency: deadlines, queues and listeners. */

export { withDeadline } from './deadline.js';
export { handleSerially } from './handle-serially.js';
export { inSlices, SLICE_MS } from './in-slices.js';
export { KeyedQueue, whenFree } from './keyed-queue.js';
export { limitConcurrency } from './limit-concurrency.js';
export { Listeners } from './listeners.js';
export { Timers } from './timers.js';
export { Topic } from './topic.js';

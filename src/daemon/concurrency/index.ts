/** Concurrency: deadlines, queues and listeners. */

export { withDeadline } from './deadline.js';
export { fewAtATime } from './few-at-a-time.js';
export { KeyedQueue, whenFree } from './keyed-queue.js';
export { Listeners } from './listeners.js';
export { takeInTurn } from './take-in-turn.js';
export { Timers } from './timers.js';
export { Topic } from './topic.js';

/** Concurrency: deadlines, queues and listeners. */

export { withDeadline } from './deadline.js';
export { fewAtATime } from './few-at-a-time.js';
export { Listeners } from './listeners.js';
export { takeInTurn } from './take-in-turn.js';
export { Topic } from './topic.js';
export { whenFree } from './when-free.js';

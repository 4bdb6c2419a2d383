/** Notifications for people who are away. */
export { localClock, Notifier } from './notifier.js';

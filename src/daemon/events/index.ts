/** Events: storing them in order, and distributing them. */
export { createEventBus, type EventBus, type EventFilter, type EventLine } from './event-bus.js';
export { needRoom, Outbox, plainEvents } from './outbox.js';

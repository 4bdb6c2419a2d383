/** Events: storing them in order, and distributing them. */
export { createEventHub, type EventFilter, type EventHub, type EventLine } from './event-hub.js';
export { createOutbox, needRoom, type Outbox, plainEvents } from './outbox.js';

/** Publishes the events, the sessions and the items of this machine to the hub, without the fields that stay here. */
export { Projector } from './projector.js';
export { isAlreadyThere, maxTextBytes, PUBLISH_MS } from './publish-limits.js';
export { type EventLimits, type Position, publishEvents, readPosition } from './publisher.js';
export { sharedJson } from './shared-text.js';

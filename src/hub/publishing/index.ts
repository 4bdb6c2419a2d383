/** What this machine writes to the hub: its events, its sessions and items, without what it does not share. */
export { Projector } from './projector.js';
export { isAlreadyThere, maxTextBytes, PUBLISH_MS } from './publish-limits.js';
export { type EventLimits, type Position, publishEvents, readPosition } from './publisher.js';
export { sharedJson } from './shared-text.js';

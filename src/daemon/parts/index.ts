/** The parts of the daemon. Each file builds some of them from earlier ones; main.ts has their order. */
export type { Base } from './base.js';
export { createDelegationParts } from './delegation-parts.js';
export { createInteractionParts } from './interaction-parts.js';
export { createRegistryParts } from './registry-parts.js';
export { openService } from './service.js';
export { createSessionParts } from './session-parts.js';
export { openStorage } from './storage.js';

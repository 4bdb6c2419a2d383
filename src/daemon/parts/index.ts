/** The parts of the daemon. Each file builds some of them from earlier ones; main.ts has their order. */
export type { Base } from './base.js';
export { createExchange } from './exchange.js';
export { createSessions } from './followed-sessions.js';
export { createKnowledge } from './knowledge.js';
export { openService } from './service.js';
export { openStorage } from './storage.js';
export { createWork } from './work.js';

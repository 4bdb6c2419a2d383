/** Access: who calls, and what a caller may see. */

export { identify, permit } from './auth.js';
export type { Caller } from './caller.js';
export { type EventFilterPorts, eventFilter } from './event-filter.js';
export { needSight, type SightPorts, seen } from './sight.js';

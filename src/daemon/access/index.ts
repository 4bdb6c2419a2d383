/** Access: who calls, and what a caller may see. */

export { identify, permit } from './auth.js';
export { eventFilter } from './event-filter.js';
export { needSight, seen } from './sight.js';

/** Access control: identifies the caller, and limits what it may do and see. */

export { type Identity, identify, identifyToken, permit, type Secrets } from './auth.js';
export { type Caller, repeatableId } from './caller.js';
export { type EventFilterPorts, eventFilter } from './event-filter.js';
export { checkPlace, eitherPlace, isNamed, loopbackPlace, type Place, proxyPlace, tlsPlace } from './places.js';
export { type ReadAccessPorts, readablePart, requireReadAccess } from './read-access.js';

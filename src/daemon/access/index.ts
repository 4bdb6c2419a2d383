/** Access control: identifies the caller, and limits what it may do and see. */

export { type Identity, identify, identifyToken, permit, type Secrets } from './auth.js';
export { type Caller, nameOf, repeatableId } from './caller.js';
export { type EventFilterPorts, eventFilter } from './event-filter.js';
export {
  checkAddress,
  eitherAddress,
  isNamed,
  type ListenerAddress,
  loopbackAddress,
  proxyAddress,
  tlsAddress,
} from './listener-address.js';
export { mayAnswer, mayType, type ParentAnswersPorts, typingRefusal } from './parent-answers.js';
export { type ReadAccessPorts, readablePart, requireReadAccess } from './read-access.js';

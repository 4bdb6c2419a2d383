/** The shapes that all components share, their validators, ids, operations and errors. Pure. */

export * from './blueprint.js';
export * from './close-codes.js';
export * from './config/index.js';
export * from './daemon/index.js';
export * from './errors.js';
export * from './events/index.js';
export { QUERY_TYPES } from './generated/query-types.js';
export type * from './generated/types.js';
export * from './ids.js';
export * from './limits/index.js';
export {
  ITEM_BADGES,
  isMessageType,
  MESSAGE_KINDS,
  MESSAGES,
  type MessageType,
  OPENS_ITEM,
  PARENT_ANSWERS,
  saidOfSession,
  stateOfMessage,
} from './messages/index.js';
export type * from './new-event.js';
export * from './new-session.js';
export * from './operations.js';
export * from './paths.js';
export * from './prompt-text.js';
export * from './schema-errors.js';
export * from './states/index.js';
export * from './text/index.js';
export * from './to-request.js';
export type { OwnTool } from './tool-shapes.js';
export * from './validate.js';
export * from './version.js';
export * from './words/index.js';

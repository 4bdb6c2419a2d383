/** The shapes that all components share, their validators, ids, operations and errors. Pure. */

export * from './badges.js';
export * from './blueprint.js';
export * from './close-codes.js';
export * from './columns.js';
export * from './command-name.js';
export * from './config.js';
export * from './config-file.js';
export * from './disk-words.js';
export * from './display.js';
export * from './errors.js';
export * from './events/index.js';
export { QUERY_TYPES } from './generated/query-types.js';
export type * from './generated/types.js';
export * from './health.js';
export * from './ids.js';
export * from './item-options.js';
export * from './limits.js';
export * from './listen-address.js';
export * from './locale.js';
export { isLabelName, labelsOf, placeWords } from './machine-labels.js';
export {
  ITEM_BADGES,
  isMessageType,
  MESSAGE_KINDS,
  MESSAGES,
  type MessageType,
  OPENS_ITEM,
  parentMayAnswer,
  saidOfSession,
  stateOfMessage,
} from './messages/index.js';
export type * from './new-event.js';
export * from './new-session.js';
export * from './operations.js';
export * from './paths.js';
export * from './port-problem.js';
export * from './prompt-text.js';
export * from './quiet-hours.js';
export * from './remote-needs.js';
export * from './revivable.js';
export { safeJson } from './safe-json.js';
export * from './schema-errors.js';
export { isAlive, SESSION_ACTS, type SessionAct } from './session-acts.js';
export { MAX_REQUESTS, needRequestRoom } from './session-requests.js';
export * from './settings.js';
export * from './shell-word.js';
export { byWords, shownState } from './shown-state.js';
export * from './similar-names.js';
export * from './split-command.js';
export * from './start-lines.js';
export * from './status-segments.js';
export * from './task-states.js';
export * from './terminal-size.js';
export * from './to-request.js';
export type { OwnTool } from './tool-shapes.js';
export * from './validate.js';
export * from './values.js';
export * from './version.js';
export * from './words/index.js';

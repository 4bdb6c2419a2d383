/** The words of the house: shapes, their validators, ids, operations and errors. Pure. */
export * from './config.js';
export * from './display.js';
export * from './errors.js';
export { QUERY_TYPES } from './generated/query-types.js';
export type * from './generated/types.js';
export * from './ids.js';
export * from './item-options.js';
export * from './looks.js';
export type * from './new-event.js';
export * from './new-session.js';
export * from './operations.js';
export * from './paths.js';
export * from './prompt-text.js';
export * from './quiet-hours.js';
export * from './revivable.js';
export * from './schema-errors.js';
export * from './validate.js';
export * from './version.js';

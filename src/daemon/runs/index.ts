/** Runs: prompts and blueprints that are executed to a result. */

export type { RunRequest } from './plan.js';
export { RunCollection } from './run-collection.js';
export { RunNotices, Runs } from './runs.js';
export { type DepthPorts, mayStartOthers, Spawning } from './spawning.js';

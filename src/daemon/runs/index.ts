/** Runs: prompts and blueprints that are executed to a result. */

export { type DepthPorts, mayStartOthers } from './depth.js';
export type { RunRequest } from './plan.js';
export { RunCollection } from './run-collection.js';
export { RunNotices, Runs } from './runs.js';
export { Spawning } from './spawning.js';

/** The loop that runs, tasks and workflow runs have in common, and the collection of each. */

export { Collection } from './collection.js';
export { DecisionLoop } from './decision-loop.js';

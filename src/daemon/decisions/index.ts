/** The loop that runs, tasks and workflow runs have in common, and the collection of each. */

export { Collection } from './collection.js';
export { Keeper } from './keeper.js';

/** The loop that runs, tasks and workflow runs have in common, and the collection of each. */
export { Keeper } from './keeper.js';
export { Shelf } from './shelf.js';

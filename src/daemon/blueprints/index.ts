/** Blueprints: named definitions of agents. */
export { Blueprints } from './blueprints.js';
export { StoredBlueprints } from './stored.js';

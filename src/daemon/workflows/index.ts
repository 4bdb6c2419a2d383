/** Workflow runs: the execution of Agentfiles. */

export { listAgentfiles } from './agentfiles.js';
export { Elsewhere, type HubPlaces } from './elsewhere.js';
export { PlacedRuns } from './placed-runs.js';
export { restoreProgress } from './rows.js';
export { Workflows } from './workflows.js';

/** Workflow runs: the execution of Agentfiles. */

export { listAgentfiles } from './agentfiles.js';
export { PlacedRuns } from './placed-runs.js';
export { type HubPlaces, RemoteRuns } from './remote-runs.js';
export { restoreProgress } from './rows.js';
export { Workflows } from './workflows.js';

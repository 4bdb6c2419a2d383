/** Workflow runs: the execution of Agentfiles. */

export { listAgentfiles } from './agentfiles.js';
export { PlacedRuns } from './placed-runs.js';
export { RemoteRuns, type RunPlacement } from './remote-runs.js';
export { restoreProgress } from './rows.js';
export { Workflows } from './workflows.js';

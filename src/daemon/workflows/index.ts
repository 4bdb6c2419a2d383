/** Workflow runs: the execution of Agentfiles. */

export { listAgentfiles } from './agentfiles.js';
export { restoreProgress } from './rows.js';
export { Workflows } from './workflows.js';

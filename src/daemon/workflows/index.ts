/** Workflow runs: the execution of Agentfiles. */

export { restoreProgress } from './rows.js';
export { Workflows } from './workflows.js';

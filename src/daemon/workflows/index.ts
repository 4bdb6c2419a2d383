/** Workflow runs: the execution of Agentfiles. */

export { takeUp } from './rows.js';
export { Workflows } from './workflows.js';

/** The checks of an Agentfile beyond its syntax, and its conversion to a workflow. */
export { checkNames } from './check-names.js';
export { checkValues } from './check-values.js';
export { checkVariables } from './check-variables.js';
export { toWorkflow } from './checked-form.js';
export type { ReadFile } from './prompt-files.js';
export { collect, type Works } from './works.js';

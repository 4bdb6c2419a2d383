/** Attempts of runs: one process or conversation after the other. */

export { answersTo, type GivenAnswer, withdrawAsked, withdrawUnasked } from './asked.js';
export { formInstructions } from './attempt-end.js';
export { Attempts, startError } from './attempts.js';
export { requireBatch, requireProgram } from './batch.js';
export type { ConversationPorts } from './conversation.js';
export {
  clearEnvironments,
  dropEnvironment,
  type Environment,
  environmentOf,
  keepEnvironment,
  mayGoOn,
} from './environments.js';

/** Attempts of runs: one process or conversation after the other. */

export { answersTo, type GivenAnswer, withdrawAsked, withdrawUnasked } from './asked.js';
export { Attempts } from './attempts.js';
export { requireBatch, requireProgram } from './batch.js';
export type { ConversationPorts } from './conversation.js';
export {
  clearEnvironments,
  dropEnvironment,
  type Environment,
  keepEnvironment,
  mayGoOn,
  readEnvironment,
} from './environments.js';
export { formInstructions } from './form.js';

/** Results of agents: the instructions about their form, finding them in the final text, and checking them. */
export { checkEnvelope } from './envelope.js';
export { callInstructions, envelopeInstructions, retryPrompt, schemaInstructions } from './instructions.js';
export type { PossibleEcho } from './possible-echo.js';
export { ResultChecker } from './result-checker.js';

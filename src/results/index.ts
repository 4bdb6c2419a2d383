/** Results of agents: the instructions about their form, finding them in the final text, and checking them. */
export { type EnvelopeVerdict, judgeEnvelope } from './envelope.js';
export { callInstructions, envelopeInstructions, retryPrompt, schemaInstructions } from './instructions.js';
export { createJudge, type Judge } from './judge.js';
export type { PossibleEcho } from './possible-echo.js';
export type { Verdict } from './verdict.js';

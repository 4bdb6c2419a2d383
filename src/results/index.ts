/** Results: what an agent's last words must hold, what they hold, and what it is told of it. */
export { type EnvelopeVerdict, judgeEnvelope } from './envelope.js';
export { callInstructions, envelopeInstructions, retryPrompt, schemaInstructions } from './instructions.js';
export { createJudge, type Judge } from './judge.js';
export type { PossibleEcho } from './possible-echo.js';
export type { Verdict } from './verdict.js';

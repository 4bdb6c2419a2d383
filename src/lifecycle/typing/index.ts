/** Typing: when text may be typed into a program, in which form, and whether the program took it. */

export {
  type AgentSight,
  composerStanding,
  type Since,
  sinceDialog,
  type Wait,
  whatToWaitFor,
} from './input-readiness.js';
export { type Draft, draftAfter, isEdit, NO_DRAFT } from './pressed-keys.js';
export { significant } from './significant.js';
export {
  findTyped,
  findUnsent,
  isLeftOver,
  type Picture,
  standsIn,
  type TextStanding,
  type TypedPlace,
} from './submission.js';
export { SubmissionEvidence } from './submission-evidence.js';
export { asSent, asWords, type InputRules, namedAnswer, questionName } from './typed-text.js';

/** Runs: what happens to a run, its attempts and its questions. */

export {
  BLIND_WAIT_MS,
  createRun,
  decideRun,
  isOver,
  MAX_BLIND_WAITS,
  reminderOf,
  resumeRun,
  takesCalls,
  UNBEGUN,
} from './run.js';
export { answerWords, isAsked, wholePrompt } from './run-asks.js';
export type {
  AttemptEnd,
  AttemptVerdict,
  RunBook,
  RunDecision,
  RunEffect,
  RunInput,
  RunQuestion,
  Submission,
} from './run-book.js';
export { ownUsage } from './run-usage.js';

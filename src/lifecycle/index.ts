/** The rules for sessions with their items and answers, for runs, and for tasks, as pure functions. */
export { Aftermath } from './aftermath.js';
export * from './answer-text.js';
export type * from './book.js';
export { briefly } from './briefly.js';
export { decide } from './decide.js';
export type { Decided } from './decided.js';
export { isDeliveryPending } from './delivery-pending.js';
export * from './input-readiness.js';
export { enterAgain, isOfRun, isOfTaskOrWorkflow, outlivesSession } from './items.js';
export * from './notify.js';
export * from './pressed-keys.js';
export * from './run.js';
export { answerWords, isAsked, wholePrompt } from './run-asks.js';
export type * from './run-book.js';
export { isHeldUp, isTurnOver, waitsForPerson } from './run-turn.js';
export { ownUsage } from './run-usage.js';
export * from './session-state.js';
export * from './significant.js';
export {
  findTyped,
  findUnsent,
  isLeftOver,
  type Picture,
  standsIn,
  type TextStanding,
  type TypedPlace,
} from './submission.js';
export * from './task.js';
export * from './timestamp.js';
export * from './typed-text.js';
export type { Budget } from './usage.js';

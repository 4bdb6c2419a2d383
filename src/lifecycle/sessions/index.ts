/** Sessions: what happens to a session, its inbox items and its answers. */
export { type AnswerRequest, answerText, typeable, withoutBlanks } from './answer-text.js';
export type { Book, BookItem, CallOutcome, Decision, Effect, Input, Revival, StallReason } from './book.js';
export { decide } from './decide.js';
export { isDeliveryPending } from './delivery-pending.js';
export { enterAgain, isOfRun, isOfTaskOrWorkflow, outlivesSession } from './items.js';
export { isHeldUp, isTurnOver, waitsForPerson } from './run-turn.js';
export { STARTING } from './session-state.js';
export type { Budget } from './usage.js';

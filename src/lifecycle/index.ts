/** The rules for sessions with their items and answers, for runs, and for tasks, as pure functions. */

export {
  type AnswerRequest,
  type AnswerText,
  answerText,
  typeable,
  withoutTypedBlanks,
} from './answers/answer-text.js';
export { isDeliveryPending } from './answers/delivery-pending.js';
export { briefly } from './briefly.js';
export { aggregateOnly, type Decided } from './decided.js';
export * from './notify.js';
export { createRun, decideRun, resumeRun, takesCalls, UNBEGUN } from './runs/run.js';
export type {
  AttemptEnd,
  AttemptVerdict,
  RunAggregate,
  RunDecision,
  RunEffect,
  RunInput,
  RunQuestion,
  Submission,
} from './runs/run-aggregate.js';
export { answerWords, isAsked, wholePrompt } from './runs/run-asks.js';
export { BLIND_WAIT_MS, MAX_BLIND_WAITS, reminderOf } from './runs/run-end.js';
export { ownUsage } from './runs/run-usage.js';
export { RECORD_MS } from './sessions/acknowledge.js';
export type {
  CallOutcome,
  Decision,
  Effect,
  Input,
  Revival,
  SessionAggregate,
  StallReason,
  TrackedItem,
} from './sessions/aggregate.js';
export { decide } from './sessions/decide.js';
export { enterAgain, isOfRun, isOfTaskOrWorkflow, outlivesSession } from './sessions/items.js';
export { isHeldUp, isTurnOver, waitsForPerson } from './sessions/run-turn.js';
export { STARTING } from './sessions/session-state.js';
export type { Budget } from './sessions/usage.js';
export * from './tasks/task.js';
export type { TaskAggregate, TaskDecision, TaskEffect, TaskInput } from './tasks/task-aggregate.js';
export * from './timestamp.js';
export {
  type AgentSight,
  composerStanding,
  type Since,
  sinceDialog,
  type Wait,
  whatToWaitFor,
} from './typing/input-readiness.js';
export { hasKeptBlanks, mayLoseBlanks } from './typing/kept-blanks.js';
export { OwnOutput } from './typing/own-output.js';
export { draftAfter, isEdit, isSubmit, NO_DRAFT, type UnsentText } from './typing/pressed-keys.js';
export { significant } from './typing/significant.js';
export {
  findTyped,
  findUnsent,
  isBeginning,
  isLeftOver,
  isPart,
  type Picture,
  partLeft,
  showsEnd,
  standsIn,
  type TextStanding,
  type TypedPosition,
} from './typing/submission.js';
export { SubmissionEvidence } from './typing/submission-evidence.js';
export { asSent, asWords, namedAnswer, questionName } from './typing/typed-text.js';
